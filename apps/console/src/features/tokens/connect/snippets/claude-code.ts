import { powerShellQuote, shellQuote, type Connection, type Snippet } from './connection.ts'

/** The variables that Claude Code reads; it adds `/v1/messages` to the address itself. */
export function claudeCodeSnippets(connection: Connection): Snippet[] {
  const variables = Object.entries(claudeCodeVariables(connection))
  return [
    { place: '~/.claude/settings.json', text: settings(connection) },
    { place: 'macOS / Linux', text: lines(variables, (name, value) => `export ${name}=${shellQuote(value)}`) },
    {
      place: 'Windows PowerShell',
      text: lines(variables, (name, value) => `$env:${name} = ${powerShellQuote(value)}`),
    },
  ]
}

function claudeCodeVariables({ address, key, model }: Connection): Record<string, string> {
  return {
    ANTHROPIC_BASE_URL: address,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_MODEL: model,
    // The names haiku, sonnet and opus, which /model, subagents and titles use, mean models that this site may not have.
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
  }
}

const settings = (connection: Connection) => JSON.stringify({ env: claudeCodeVariables(connection) }, null, 2)

const lines = (variables: [string, string][], line: (name: string, value: string) => string) =>
  [...variables.map(([name, value]) => line(name, value)), 'claude'].join('\n')
