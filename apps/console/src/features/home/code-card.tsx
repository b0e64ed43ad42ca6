import { CheckOutlined, CopyOutlined } from '@ant-design/icons'
import { Fragment, useEffect, useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import {
  chatBody,
  chatInPython,
  chatInTypeScript,
  curlPost,
  openaiPython,
  openaiRoot,
  openaiTypeScript,
  type Connection,
} from '../../components/code-samples.ts'
import { oneOf, storedItem } from '../../lib/stored-item.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import styles from './home.module.css'

const CLIENTS = ['curl', 'python', 'node', 'claude'] as const
type Client = (typeof CLIENTS)[number]
const NAMES: Record<Client, string> = { curl: 'curl', python: 'Python', node: 'Node', claude: 'Claude Code' }

const rememberedClient = storedItem('home-code-sample', oneOf(CLIENTS))

const PROMPT = 'Hello'
const FALLBACK_MODEL = 'gpt-4o-mini'

/** The address of the API, without a slash at the end. */
export const siteAddress = (configured: string): string => (configured || window.location.origin).replace(/\/+$/, '')

/** A working request for common clients, with the base URL of this site. Collapsed on phones. */
export function CodeCard({ model }: { model: string | undefined }) {
  const { t } = useTranslation('home')
  const isPhone = useIsPhone()
  const { server_address: configured } = useStatus()
  const [client, setClient] = useState<Client>(() => rememberedClient.get() ?? 'python')
  const connection = { address: siteAddress(configured), key: 'sk-...', model: model ?? FALLBACK_MODEL }
  const choose = (chosen: Client) => {
    rememberedClient.set(chosen)
    setClient(chosen)
  }
  const samples = <Samples client={client} onChoose={choose} code={sampleOf(client, connection)} />
  return (
    <section className={styles.code} aria-label={t('code.label')}>
      {isPhone ? (
        <>
          <BaseUrl client={client} connection={connection} />
          <details className={styles.folded}>
            <summary>{t('code.show')}</summary>
            {samples}
          </details>
        </>
      ) : (
        <>
          {samples}
          <BaseUrl client={client} connection={connection} />
        </>
      )}
    </section>
  )
}

interface SamplesProps {
  client: Client
  code: string
  onChoose(client: Client): void
}

function Samples({ client, code, onChoose }: SamplesProps) {
  const { t } = useTranslation('home')
  const id = useId()
  const text = useRef<HTMLElement>(null)
  const move = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = CLIENTS.at((CLIENTS.indexOf(client) + by) % CLIENTS.length)!
    onChoose(next)
    document.getElementById(`${id}-${next}`)?.focus()
  }
  return (
    <>
      <div className={styles.codeHead}>
        <div role="tablist" aria-label={t('code.clients')} className={styles.tabs}>
          {CLIENTS.map((name) => (
            <button
              key={name}
              id={`${id}-${name}`}
              type="button"
              role="tab"
              aria-selected={name === client}
              aria-controls={`${id}-panel`}
              tabIndex={name === client ? 0 : -1}
              onClick={() => onChoose(name)}
              onKeyDown={move}
            >
              {NAMES[name]}
            </button>
          ))}
        </div>
        <Copy text={code} source={text} label={t('code.copy')} />
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${client}`}>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
        <pre className={styles.codeText} tabIndex={0}>
          <code ref={text}>{highlight(code)}</code>
        </pre>
      </div>
    </>
  )
}

function BaseUrl({ client, connection }: { client: Client; connection: Connection }) {
  const { t } = useTranslation('home')
  const text = useRef<HTMLElement>(null)
  const url = client === 'claude' ? connection.address : openaiRoot(connection)
  return (
    <div className={styles.baseUrl}>
      <span>{t('code.baseUrl')}</span>
      <code ref={text}>{breakable(url)}</code>
      <Copy text={url} source={text} label={t('code.copyBaseUrl')} />
    </div>
  )
}

/** Lets a long address break after its slashes and before its dots. */
function breakable(url: string) {
  return url.split(/(?<=\/)(?=[^/])|(?=\.)/).map((part, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- parts keep their positions
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

interface CopyProps {
  text: string
  /** Selected for copying by hand if there is no clipboard, as without HTTPS. */
  source: RefObject<HTMLElement | null>
  label: string
}

function Copy({ text, source, label }: CopyProps) {
  const { t } = useTranslation()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      if (source.current) window.getSelection()?.selectAllChildren(source.current)
    }
  }
  return (
    <button type="button" className={styles.copy} aria-label={label} onClick={() => void copy()}>
      {isCopied ? <CheckOutlined aria-hidden /> : <CopyOutlined aria-hidden />}
      <span aria-live="polite">{isCopied ? t('copied') : t('copy')}</span>
    </button>
  )
}

function sampleOf(client: Client, connection: Connection): string {
  switch (client) {
    case 'curl':
      return curlPost(connection, '/chat/completions', chatBody(connection, PROMPT))
    case 'python':
      return openaiPython(connection, chatInPython(connection, PROMPT))
    case 'node':
      return openaiTypeScript(connection, chatInTypeScript(connection, PROMPT))
    case 'claude':
      return [
        `export ANTHROPIC_BASE_URL=${connection.address}`,
        `export ANTHROPIC_AUTH_TOKEN=${connection.key}`,
        '',
        'claude',
      ].join('\n')
  }
}

/** Strings and a few keywords are enough for these samples. */
const TOKEN = /("[^"\n]*"|'[^'\n]*'|\b(?:from|import|const|await|new|export|print)\b)/

function highlight(code: string) {
  return code.split(TOKEN).map((part, index) => {
    if (index % 2 === 0) return part
    const isString = part.startsWith('"') || part.startsWith("'")
    return (
      // oxlint-disable-next-line react/no-array-index-key -- parts keep their positions
      <span key={index} className={isString ? styles.string : styles.keyword}>
        {part}
      </span>
    )
  })
}
