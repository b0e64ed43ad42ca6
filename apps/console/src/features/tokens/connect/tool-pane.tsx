import { ExportOutlined } from '@ant-design/icons'
import { lazy, Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { DEFAULT_NAME, useStatus } from '../../../api/status.ts'
import { chatLinks, isWebPage, NEW_TAB } from '../../../components/chat-links.ts'
import type { Connection } from '../../../components/code-samples.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button, Segmented } from '../../../ui/kit/index.ts'
import { DocsLink } from '../../../ui/page/help-link.tsx'
import styles from './connect.module.css'
import {
  claudeCodeSnippets,
  codexSnippets,
  geminiCliSnippets,
  opencodeSnippets,
  type AgentModel,
} from './agent-snippets.ts'
import {
  CHAT_CLIENTS,
  clientFields,
  curlSnippets,
  sdkSnippets,
  SHELLS,
  type Client,
  type Shell,
  type Snippet,
} from './snippets.ts'

/** In the order of the tabs. */
export const TOOLS = ['claude-code', 'codex', 'opencode', 'gemini-cli', 'cursor', 'sdk', 'curl', 'chat'] as const
export type Tool = (typeof TOOLS)[number]

/** Loaded on demand: it contains the results of the tests. */
const TestedClient = lazy(() => import('./tested-client.tsx'))

interface Props {
  tool: Tool
  shown: Connection
  copied: Connection
  /** The models that the token can use. */
  models: readonly AgentModel[]
  shell: Shell
  onShell(shell: Shell): void
}

/** Instructions for one tool. */
export function ToolPane({ tool, ...props }: Props) {
  const { shown, copied } = props
  if (tool === 'cursor') return <CursorGuide shown={shown} copied={copied} />
  if (tool === 'chat') return <ChatApps shown={shown} copied={copied} />
  return <Blocks tool={tool} {...props} />
}

function Blocks({ tool, shown, copied, models, shell, onShell }: Props & { tool: Exclude<Tool, 'cursor' | 'chat'> }) {
  const { t } = useTranslation('connect')
  const site = useStatus().system_name || DEFAULT_NAME
  const allSnippets = (connection: Connection): Snippet[] => {
    switch (tool) {
      case 'claude-code':
        return claudeCodeSnippets({ connection, models, site })
      case 'codex':
        return codexSnippets({ connection, models, site })
      case 'opencode':
        return opencodeSnippets({ connection, models, site })
      case 'gemini-cli':
        return geminiCliSnippets({ connection, models, site })
      case 'sdk':
        return sdkSnippets(connection, t('prompt'))
      case 'curl':
        return curlSnippets(connection, t('prompt'))
    }
  }
  const isHere = (snippet: Snippet) => snippet.shell === undefined || snippet.shell === shell
  const all = allSnippets(shown)
  const toCopy = allSnippets(copied).filter(isHere)
  return (
    <>
      <p className={styles.note}>{t(`notes.${tool}`)}</p>
      {all.some((snippet) => snippet.shell) && (
        <Segmented
          className={styles.shells}
          aria-label={t('shell')}
          value={shell}
          options={[...SHELLS]}
          onChange={onShell}
        />
      )}
      {all.filter(isHere).map((snippet, index) => (
        <CodeBlock key={snippet.place} shown={snippet} copied={toCopy[index]!} />
      ))}
      {tool === 'sdk' && (
        <p className={styles.tested}>
          <DocsLink page="reference/client-conformance">{t('tests.link')}</DocsLink>
        </p>
      )}
      <Suspense fallback={null}>
        <TestedClient client={tool} />
      </Suspense>
    </>
  )
}

interface CodeBlockProps {
  /** As shown, with the key masked unless it is revealed. */
  shown: Snippet
  /** As copied, with the key. */
  copied: Snippet
}

/** A snippet with its destination and a copy button. Long lines scroll. */
function CodeBlock({ shown, copied }: CodeBlockProps) {
  const { t } = useTranslation('connect')
  const { t: common } = useTranslation()
  const { place, install } = shown
  return (
    <figure className={styles.block}>
      <figcaption className={styles.blockHead}>
        <span className={styles.place}>
          {place}
          {install && <code className={`mono secondary ${styles.install}`}>{install}</code>}
        </span>
        <CopyButton text={copied.text} label={t('copyBlock', { place })} words={common('copy')} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrollable block must be focusable */}
      <pre className={styles.code} tabIndex={0} aria-label={place}>
        <code>{highlight(shown.text)}</code>
      </pre>
    </figure>
  )
}

/** Only quoted text is coloured. */
const QUOTED = /("(?:[^"\\\n]|\\.)*"|'[^']*')/g

/** Code with coloured string values. */
function highlight(code: string): ReactNode[] {
  const parts = code.split(QUOTED) // every second one is quoted
  return parts.map((part, index) =>
    index % 2 === 0 || parts[index + 1]!.startsWith(':') ? (
      part // a JSON property name
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other key
      <span key={index} className={styles.value}>
        {part}
      </span>
    ),
  )
}

/** Cursor has no settings file. */
function CursorGuide({ shown, copied }: { shown: Connection; copied: Connection }) {
  const { t } = useTranslation('connect')
  return (
    <>
      <ol className={styles.steps}>
        <li>{t('cursorSteps.key')}</li>
        <li>{t('cursorSteps.address')}</li>
        <li>{t('cursorSteps.model')}</li>
      </ol>
      <ClientCard client="cursor" shown={shown} copied={copied} />
      <p className={styles.note}>{t('cursorSteps.note')}</p>
    </>
  )
}

/** Chats saved by the operator, then apps to configure manually. */
function ChatApps({ shown, copied }: { shown: Connection; copied: Connection }) {
  const { t } = useTranslation('connect')
  const links = chatLinks(useStatus().chats, copied)
  return (
    <>
      {links.length > 0 && (
        <section className={styles.saved} aria-label={t('saved.title')}>
          <h3 className={styles.clientName}>{t('saved.title')}</h3>
          <p className={styles.where}>{t('saved.hint')}</p>
          <div className={styles.links}>
            {links.map(({ name, address }, index) => (
              <Button
                // oxlint-disable-next-line react/no-array-index-key -- two chats may share a name
                key={index}
                href={address}
                {...(isWebPage(address) && NEW_TAB)}
                aria-label={t('saved.open', { name })}
                icon={<ExportOutlined aria-hidden />}
              >
                {name}
              </Button>
            ))}
          </div>
        </section>
      )}
      <p className={styles.note}>{t('notes.chat')}</p>
      <div className={styles.clients}>
        {CHAT_CLIENTS.map((client) => (
          <ClientCard key={client} client={client} shown={shown} copied={copied} />
        ))}
      </div>
    </>
  )
}

interface ClientCardProps {
  client: Client
  shown: Connection
  copied: Connection
}

/** In the order of most apps. */
const FIELDS = ['key', 'address', 'model'] as const

/** The fields of an app under its own names. */
function ClientCard({ client, shown, copied }: ClientCardProps) {
  const { t } = useTranslation('connect')
  const app = t(`clients.${client}.name`)
  const shownFields = clientFields(client, shown)
  const copiedFields = clientFields(client, copied)
  return (
    <section className={styles.client} aria-label={app}>
      <h3 className={styles.clientName}>{app}</h3>
      <p className={styles.where}>{t(`clients.${client}.where`)}</p>
      <dl className={styles.fields}>
        {FIELDS.map((field) => {
          const label = t(`clients.${client}.${field}`)
          return (
            <div key={field} className={styles.field}>
              <dt>{label}</dt>
              <dd>
                <code className={`mono ${styles.factText}`}>{shownFields[field]}</code>
                <CopyButton text={copiedFields[field]} label={t('copyField', { app, field: label })} />
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
