import {
  addLineItem,
  deleteLineItem,
  editLineItem,
  importLinePrices,
  type LineItemFields,
  type LineItems,
  lineItems,
} from "@millrace/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { callApi } from "../../../shared/call-api.ts";

const keyOf = (uuid: string) => ["line_items", uuid] as const;

export const useLineItems = (uuid: string) =>
  useQuery({
    queryKey: keyOf(uuid),
    queryFn: ({ signal }) => callApi(lineItems, { params: { id: uuid }, signal }),
  });

/** Every change returns all line items. */
function useChange<Asked>(uuid: string, send: (asked: Asked) => Promise<LineItems>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: (items) => client.setQueryData(keyOf(uuid), items),
  });
}

/** Adds a line item, or replaces the one of this id. */
export const useSaveLineItem = (id: string) =>
  useChange(id, ({ item, body }: { item: string | null; body: LineItemFields }) =>
    item === null
      ? callApi(addLineItem, { params: { id }, body })
      : callApi(editLineItem, { params: { id, item }, body }),
  );

export const useDeleteLineItem = (id: string) =>
  useChange(id, (item: string) => callApi(deleteLineItem, { params: { id, item } }));

export const useImportPrices = (id: string) =>
  useChange(id, (content: string) => callApi(importLinePrices, { params: { id }, body: { content } }));
