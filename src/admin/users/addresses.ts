const LIST = "/admin/users";

/** The open page of the list, without a dialog. */
export const listPath = (params: URLSearchParams) => withDialog(params, {});

export const addPath = (params: URLSearchParams) => withDialog(params, { add: "" });

export const editPath = (params: URLSearchParams, id: string) => withDialog(params, { edit: id });

function withDialog(params: URLSearchParams, dialog: Record<string, string>) {
  const after = params.get("after");
  const query = new URLSearchParams({ ...(after && { after }), ...dialog });
  return query.size > 0 ? `${LIST}?${query}` : LIST;
}
