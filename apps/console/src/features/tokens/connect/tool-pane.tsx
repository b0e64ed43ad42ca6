import { useTranslation } from 'react-i18next'
import { DEFAULT_NAME, useStatus } from '../../../lib/status.ts'
import { ChatApps } from './chat-apps.tsx'
import { CodeBlock } from './code-block.tsx'
import styles from './connect.module.css'
import { CursorGuide } from './cursor-guide.tsx'
import { claudeCodeSnippets } from './snippets/claude-code.ts'
import { codexSnippets } from './snippets/codex.ts'
import type { Connection, Snippet } from './snippets/connection.ts'
import { curlSnippets } from './snippets/curl.ts'
import { sdkSnippets } from './snippets/sdk.ts'

/** What can be set up by hand, in the order of the tabs. */
export const TOOLS = ['claude-code', 'codex', 'cursor', 'sdk', 'curl', 'chat'] as const
export type Tool = (typeof TOOLS)[number]

interface Props {
  tool: Tool
  shown: Connection
  copied: Connection
}

/** How one tool is told about this site. */
export function ToolPane({ tool, shown, copied }: Props) {
  if (tool === 'cursor') return <CursorGuide shown={shown} copied={copied} />
  if (tool === 'chat') return <ChatApps shown={shown} copied={copied} />
  return <Blocks tool={tool} shown={shown} copied={copied} />
}

function Blocks({ tool, shown, copied }: Props & { tool: Exclude<Tool, 'cursor' | 'chat'> }) {
  const { t } = useTranslation('connect')
  const site = useStatus().system_name || DEFAULT_NAME
  const snippets = (connection: Connection): Snippet[] => {
    switch (tool) {
      case 'claude-code':
        return claudeCodeSnippets(connection)
      case 'codex':
        return codexSnippets(connection, site)
      case 'sdk':
        return sdkSnippets(connection, t('prompt'))
      case 'curl':
        return curlSnippets(connection, t('prompt'))
    }
  }
  const toCopy = snippets(copied)
  return (
    <>
      <p className={styles.note}>{t(`notes.${tool}`)}</p>
      {snippets(shown).map((snippet, index) => (
        <CodeBlock key={snippet.place} shown={snippet} copied={toCopy[index]!} />
      ))}
    </>
  )
}
