import { api, type BodyInput } from '@tidegate/contract'
import { apiClient, type ApiClient } from '@tidegate/testing'

/** A client that uses only a new automation token of the owner. */
export async function createAutomationClient(
  owner: ApiClient,
  scopes: string[],
  fields: Partial<BodyInput<typeof api.createAutomationToken>> = {},
) {
  const made = await owner.call(api.createAutomationToken, { body: { name: 'robot', scopes, ...fields } })
  return { ...made, ...clientWithToken(owner.url, made.token) }
}

export function clientWithToken(url: string, token: string): Pick<ApiClient, 'call' | 'send'> {
  const client = apiClient(url)
  const headers = { authorization: `Bearer ${token}` }
  return {
    call: (endpoint, input) => client.call(endpoint, { ...input, headers: { ...headers, ...input?.headers } }),
    send: (endpoint, input) => client.send(endpoint, { ...input, headers: { ...headers, ...input?.headers } }),
  }
}
