import type { Adapter, AdapterPayload } from 'oidc-provider'

/** What the provider remembers, for as long as it runs. */
export function memoryStore(): (name: string) => Adapter {
  const rows = new Map<string, AdapterPayload>()

  return (name) => {
    const mine = () => [...rows].filter(([key]) => key.startsWith(`${name}:`)).map(([, row]) => row)
    return {
      upsert: async (id, payload) => void rows.set(`${name}:${id}`, payload),
      find: async (id) => rows.get(`${name}:${id}`),
      findByUid: async (uid) => mine().find((row) => row.uid === uid),
      findByUserCode: async (userCode) => mine().find((row) => row.userCode === userCode),
      async consume(id) {
        const row = rows.get(`${name}:${id}`)
        if (row) row['consumed'] = Math.floor(Date.now() / 1000)
      },
      destroy: async (id) => void rows.delete(`${name}:${id}`),
      async revokeByGrantId(grantId) {
        for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key)
      },
    }
  }
}
