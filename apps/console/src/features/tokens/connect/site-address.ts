/** Where programs reach this site: where the operator says it is, else where this page came from. */
export const siteAddress = (serverAddress: string, origin = window.location.origin): string =>
  (serverAddress || origin).replace(/\/+$/, '')
