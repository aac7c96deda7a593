import {
  addLineItem,
  deleteLineItem,
  editLineItem,
  importLinePrices,
  type LineItem,
  type LineItemFields,
  type LineItems,
  lineItems,
} from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";
import { useAddOnce } from "../../../shared/new-key.ts";

const keyOf = (uuid: string) => ["line_items", uuid] as const;

export const useLineItems = (uuid: string) =>
  useQuery({
    queryKey: keyOf(uuid),
    queryFn: ({ signal }) => callApi(lineItems, { params: { id: uuid }, signal }),
  });

/** Every change returns all line items. */
function useChange<Input>(uuid: string, send: (input: Input) => Promise<LineItems>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (items) => client.setQueryData(keyOf(uuid), items),
    // The change may be refused because the page shows outdated data.
    onError: () => client.invalidateQueries({ queryKey: keyOf(uuid) }),
  });
}

/** Adds a line item, or replaces this one unless somebody else has changed it. */
export function useSaveLineItem(id: string) {
  const addOnce = useAddOnce();
  return useChange(id, ({ item, body }: { item: Pick<LineItem, "uuid" | "revision"> | null; body: LineItemFields }) =>
    item === null
      ? addOnce((key) => callApi(addLineItem, { params: { id }, query: { key }, body }))
      : callApi(editLineItem, { params: { id, item: item.uuid }, query: { revision: item.revision }, body }),
  );
}

export const useDeleteLineItem = (id: string) =>
  useChange(id, (item: string) => callApi(deleteLineItem, { params: { id, item } }));

export const useImportPrices = (id: string) =>
  useChange(id, async (file: File) =>
    callApi(importLinePrices, { params: { id }, body: { content: await file.text() } }),
  );
