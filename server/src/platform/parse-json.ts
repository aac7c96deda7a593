/** Parses JSON, also after the byte order mark that some clients and servers write before it (RFC 8259, section 8.1). */
export const parseJsonText = (text: string): unknown => JSON.parse(text.startsWith("\uFEFF") ? text.slice(1) : text);
