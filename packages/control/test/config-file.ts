import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'

/** Config file endpoints, called as super admin. */
export function configCalls(root: ApiClient) {
  const plan = (yaml: string, more: { passphrase?: string; prune?: boolean } = {}) =>
    root.call(api.planConfig, { body: { yaml, ...more } })
  return {
    plan,
    export: async (passphrase?: string) =>
      (await root.call(api.exportConfig, { body: passphrase === undefined ? {} : { passphrase } })).yaml,
    /** Plans and applies a file. */
    async apply(yaml: string, more: { passphrase?: string; prune?: boolean } = {}) {
      const { version } = await plan(yaml, more)
      return root.call(api.applyConfig, { body: { yaml, expect_version: version, ...more } })
    },
    /** Problems of a file. */
    async problems(yaml: string, more: { passphrase?: string; prune?: boolean } = {}) {
      const { envelope } = await root.send(api.planConfig, { body: { yaml, ...more } })
      const { code, data } = envelope as { code?: string; data?: { problems: api.ConfigProblem[] } }
      return code === 'config_file_invalid' ? data!.problems : []
    },
  }
}

export type ConfigCalls = ReturnType<typeof configCalls>

/** Planned changes by item. */
export function plannedActions({ items }: api.ConfigPlan): Record<string, string> {
  const named = items.filter(({ action }) => action !== 'unchanged')
  return Object.fromEntries(named.map(({ kind, name, action }) => [`${kind} ${name}`.trim(), action]))
}
