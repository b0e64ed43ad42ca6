import { openaiRoot, powerShellQuote, quote, shellQuote, type Connection, type Snippet } from './connection.ts'

/** Codex takes the names of its own vendors for itself, so ours is none of them. */
const PROVIDER = 'gateway'
const KEY_VARIABLE = 'GATEWAY_API_KEY'

/** The settings of Codex name a variable that holds the key; the key itself is not in them. */
export function codexSnippets(connection: Connection, site: string): Snippet[] {
  const { key } = connection
  return [
    { place: '~/.codex/config.toml', text: config(connection, site) },
    { place: 'macOS / Linux', text: `export ${KEY_VARIABLE}=${shellQuote(key)}\ncodex` },
    { place: 'Windows PowerShell', text: `$env:${KEY_VARIABLE} = ${powerShellQuote(key)}\ncodex` },
  ]
}

const config = (connection: Connection, site: string) =>
  `model = ${quote(connection.model)}
model_provider = ${quote(PROVIDER)}

[model_providers.${PROVIDER}]
name = ${quote(site)}
base_url = ${quote(openaiRoot(connection))}
env_key = ${quote(KEY_VARIABLE)}
wire_api = "responses"`
