import type { OptionFacts, OptionKey, OptionRow } from '@tidegate/contract/api'
import { fireEvent, screen } from '@testing-library/react'
import type { ComponentType } from 'react'
import { ReauthHost } from '../src/components/reauth/reauth-host.tsx'
import { rememberUser } from '../src/api/session.ts'
import { fakeServer, succeeded } from './fake-server.ts'
import { renderScreen } from './render-screen.tsx'
import { aStatus, aUser } from './samples.ts'
import type { KnownField } from '../src/features/settings/option-values.ts'
import SettingsPage from '../src/features/settings/settings-page.tsx'

export const factsOf = (key: OptionKey, facts: Partial<OptionFacts> = {}): OptionFacts => ({
  key,
  kind: 'text',
  tab: 'operation',
  section: 'general',
  default: '',
  choices: [],
  secret: false,
  is_set: false,
  ...facts,
})

export const aField = (key: OptionKey, facts: Partial<OptionFacts> = {}): KnownField => ({
  key,
  facts: factsOf(key, facts),
})

/** Some options of every kind. */
const FACTS: OptionFacts[] = [
  factsOf('ModelRequestRateLimitEnabled', { kind: 'boolean', default: 'false' }),
  factsOf('ModelRequestRateLimitDurationMinutes', { kind: 'integer', default: '1', min: 0 }),
  factsOf('ModelRequestRateLimitCount', { kind: 'integer', default: '0', min: 0 }),
  factsOf('ModelRequestRateLimitSuccessCount', { kind: 'integer', default: '1000', min: 1 }),
  factsOf('GroupRatio', { kind: 'json', default: '{"default":1,"vip":1}' }),
  factsOf('UserUsableGroups', { kind: 'json', default: '{}' }),
  factsOf('AutoGroups', { kind: 'json', default: '[]' }),
  factsOf('Chats', { kind: 'json', default: '[]' }),
  factsOf('fallback_input_ratio', { kind: 'number', min: 0 }),
  factsOf('fallback_completion_ratio', { kind: 'number', min: 0 }),
  factsOf('QuotaForNewUser', { kind: 'integer', default: '0', min: 0 }),
  factsOf('PasswordLoginEnabled', { kind: 'boolean', default: 'true' }),
  factsOf('SMTPServer'),
  factsOf('SMTPToken', { secret: true, is_set: true }),
  factsOf('GitHubClientId'),
  factsOf('GitHubClientSecret', { secret: true }),
  factsOf('ServerAddress', { kind: 'url' }),
  factsOf('oidc.well_known', { kind: 'url' }),
  factsOf('oidc.authorization_endpoint', { kind: 'url' }),
  factsOf('oidc.token_endpoint', { kind: 'url' }),
  factsOf('oidc.user_info_endpoint', { kind: 'url' }),
]
const ROWS: Partial<Record<OptionKey, string>> = {
  ModelRequestRateLimitEnabled: 'true',
  ModelRequestRateLimitDurationMinutes: '1',
  ModelRequestRateLimitCount: '0',
  ModelRequestRateLimitSuccessCount: '1000',
  GroupRatio: '{"default":1}',
  UserUsableGroups: '{}',
  AutoGroups: '["gone"]',
  Chats: '[{"Harbour":"https://chat.example/?k={key}"}]',
  fallback_input_ratio: '1.25',
  fallback_completion_ratio: '4',
  QuotaForNewUser: '0',
  PasswordLoginEnabled: 'true',
  SMTPServer: '',
  GitHubClientId: '',
  ServerAddress: '',
  'oidc.well_known': '',
  'oidc.authorization_endpoint': '',
  'oidc.token_endpoint': '',
  'oidc.user_info_endpoint': '',
}

interface Options {
  at?: string
  role?: number
  routes?: Parameters<typeof fakeServer>[0]
  /** Instead of the settings. */
  page?: ComponentType
}

function SettingsWithReauth() {
  return (
    <>
      <SettingsPage mapping={<p>virtual models editor</p>} />
      <ReauthHost />
    </>
  )
}

/** Renders the settings with a server that stores changes. `saved` returns the changes. */
export function openSettings({ at = '', role = 100, routes = {}, page = SettingsWithReauth }: Options = {}) {
  rememberUser(aUser({ role }))
  const rows = new Map(Object.entries(ROWS))
  const server = fakeServer({
    'GET /api/option': () =>
      succeeded([...rows].map(([key, value]): OptionRow => ({ key, value, etag: `"${encodeURIComponent(value)}"` }))),
    'GET /api/option/schema': succeeded(FACTS),
    'GET /api/status': succeeded(aStatus()),
    'GET /api/group': succeeded(['default']),
    'PUT /api/option': ({ body }) => {
      const { key, value } = body as OptionRow
      if (rows.has(key)) rows.set(key, value)
      return succeeded()
    },
    ...routes,
  })
  const view = renderScreen(page, { at: `/admin/settings${at}` })
  const saved = () => server.seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)
  return { ...view, saved, seen: server.seen }
}

export const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
export const write = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })
