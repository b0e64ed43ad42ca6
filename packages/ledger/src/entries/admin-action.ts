/** Who changes somebody else's credit, and from where: for the entry and the audit trail. */
export interface AdminAct {
  actorId: number
  origin: { readonly clientIp: string; readonly requestId: string; readonly tokenName?: string }
}
