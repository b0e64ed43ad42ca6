import { api } from '@tidegate/contract'
import type { ApiClient } from '@tidegate/testing'

/** The calls of a file, as a super admin makes them. */
export function configCalls(root: ApiClient) {
  const plan = (yaml: string, more: { passphrase?: string; prune?: boolean } = {}) =>
    root.call(api.planConfig, { body: { yaml, ...more } })
  return {
    plan,
    export: async (passphrase?: string) =>
      (await root.call(api.exportConfig, { body: passphrase === undefined ? {} : { passphrase } })).yaml,
    /** Looks at the plan and applies it. */
    async apply(yaml: string, more: { passphrase?: string; prune?: boolean } = {}) {
      const { version } = await plan(yaml, more)
      return root.call(api.applyConfig, { body: { yaml, expect_version: version, ...more } })
    },
    /** What is wrong with a file, by line. */
    async problems(yaml: string, more: { passphrase?: string; prune?: boolean } = {}) {
      const { envelope } = await root.send(api.planConfig, { body: { yaml, ...more } })
      const { code, data } = envelope as { code?: string; data?: { problems: api.ConfigProblem[] } }
      return code === 'config_file_invalid' ? data!.problems : []
    },
  }
}

export type ConfigCalls = ReturnType<typeof configCalls>

/** Only what a plan would do. */
export function plannedActions({ items }: api.ConfigPlan): Record<string, string> {
  const named = items.filter(({ action }) => action !== 'unchanged')
  return Object.fromEntries(named.map(({ kind, name, action }) => [`${kind} ${name}`.trim(), action]))
}
