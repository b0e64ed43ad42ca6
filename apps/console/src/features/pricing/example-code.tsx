import { PlusOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { Button, Tabs } from '../../ui/kit/index.ts'
import styles from './pricing.module.css'
import { snippetsFor, type Snippet } from './snippets.ts'

/** The page is public, so it never shows a real key. */
const PLACEHOLDER_KEY = 'sk-xxxxxxxx'

/** Example requests with the address of this site. */
export function ExampleCode({ model }: { model: string }) {
  const { t } = useTranslation('pricing')
  const navigate = useNavigate()
  const { server_address: serverAddress } = useStatus()
  const address = (serverAddress || window.location.origin).replace(/\/+$/, '')
  const snippets = snippetsFor({ address, key: PLACEHOLDER_KEY, model }, t('example.prompt'))
  return (
    <section className={styles.panel} aria-labelledby="example">
      <div className={styles.panelLine}>
        <h2 id="example" className={styles.panelTitle}>
          {t('example.title')}
        </h2>
        <Button
          size="small"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => void navigate('/app/tokens?drawer=create')}
        >
          {t('example.createToken')}
        </Button>
      </div>
      <p className={styles.panelHint}>{t(snippets.length > 0 ? 'example.hint' : 'example.none')}</p>
      {snippets.length > 0 && (
        <Tabs
          size="small"
          tabBarGutter={20}
          aria-label={t('example.title')}
          items={snippets.map((snippet) => ({
            key: snippet.name,
            label: snippet.name,
            children: <Code snippet={snippet} />,
          }))}
        />
      )}
    </section>
  )
}

function Code({ snippet: { name, install, text } }: { snippet: Snippet }) {
  const { t } = useTranslation('pricing')
  const { t: common } = useTranslation()
  return (
    <div className={styles.block}>
      <div className={styles.blockHead}>
        <code className="mono secondary">{install ?? 'bash'}</code>
        <CopyButton text={text} label={t('example.copy', { name })} words={common('copy')} />
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <pre className={styles.code} tabIndex={0} aria-label={name}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
