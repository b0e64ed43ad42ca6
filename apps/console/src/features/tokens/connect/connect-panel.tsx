import { CopyOutlined, EyeInvisibleOutlined, EyeOutlined } from '@ant-design/icons'
import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../../api/status.ts'
import type { Connection } from '../../../components/code-samples.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { useUrlState } from '../../../lib/url-state.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { useCopyText } from '../../../ui/feedback/use-copy-text.tsx'
import { Alert, Button, Select, Tabs } from '../../../ui/kit/index.ts'
import { TokenStatus } from '../columns.tsx'
import { modelFactsQuery, ownModelsQuery } from '../api.ts'
import { keyOf, maskedKeyOf } from '../token-key.ts'
import styles from './connect.module.css'
import { firstChoice, modelsOf, newestOf, siteAddress } from './connection.ts'
import { SHELLS, type Shell } from './snippets.ts'
import { TOOLS, ToolPane } from './tool-pane.tsx'
import { TryRequest } from './try-request.tsx'

const TABS = [...TOOLS, 'try'] as const
type Tab = (typeof TABS)[number]

interface Props {
  token: ApiToken
  /** Just created: the key is shown first and in full. */
  isNew: boolean
}

/** Base URL, key, instructions for each tool, and a test request. */
export function ConnectPanel({ token, isNew }: Props) {
  const { t } = useTranslation('connect')
  const { search, change } = useUrlState()
  const { server_address: serverAddress } = useStatus()
  const [isShown, setShown] = useState(isNew)
  const [chosen, setChosen] = useState<string>()
  const [shell, setShell] = useState<Shell>(() => SHELLS[navigator.userAgent.includes('Windows') ? 1 : 0])
  const own = useQuery({ ...ownModelsQuery, enabled: !token.model_limits_enabled })
  const models = modelsOf(token, own.data ?? [])
  const facts = useQuery(modelFactsQuery).data
  const isLoading = !token.model_limits_enabled && own.isPending
  const open = TABS.find((tab) => tab === search.get('tool')) ?? TABS[0]
  const model = chosen ?? (open === 'claude-code' ? newestOf(models, /\bsonnet\b/i) : undefined) ?? firstChoice(models)

  const copied = { address: siteAddress(serverAddress), key: keyOf(token), model: model ?? t('modelPlaceholder') }
  const shown = isShown ? copied : { ...copied, key: maskedKeyOf(token) }
  // Replaces the history entry, so that going back closes the dialog.
  const turn = (tab: string) => change({ tool: tab === TABS[0] ? null : tab }, { replace: true })
  return (
    <>
      {token.status !== TOKEN_STATUS.enabled && (
        <Alert className={styles.alert} type="warning" showIcon title={<OutOfUse token={token} />} />
      )}
      {!isLoading && models.length === 0 && (
        <Alert className={styles.alert} type="warning" showIcon title={t(own.error ? 'modelsFailed' : 'noModels')} />
      )}
      {isNew && <NewKey text={copied.key} />}
      <ConnectionFacts
        connection={copied}
        shownKey={isNew ? undefined : shown.key}
        isShown={isShown}
        onShow={setShown}
        models={models}
        loading={isLoading}
        onModel={setChosen}
      />
      <ToolChoice open={open} onOpen={turn} pane={pane} />
    </>
  )

  function pane(tab: Tab) {
    if (tab === 'try') return <TryRequest token={token} address={copied.address} model={model} />
    return (
      <ToolPane
        tool={tab}
        shown={shown}
        copied={copied}
        models={models.map((name) => facts?.get(name) ?? { name })}
        shell={shell}
        onShell={setShell}
      />
    )
  }
}

interface ChoiceProps {
  open: Tab
  onOpen(tab: string): void
  pane(tab: Tab): ReactNode
}

/** A select on phones, where the last tabs would be hidden in a menu. */
function ToolChoice({ open, onOpen, pane }: ChoiceProps) {
  const { t } = useTranslation('connect')
  const isPhone = useIsPhone()
  const named = TABS.map((tab) => ({ key: tab, value: tab, label: t(`tabs.${tab}`) }))
  if (isPhone) {
    return (
      <>
        <Select className={styles.toolChoice} aria-label={t('tools')} value={open} options={named} onChange={onOpen} />
        {pane(open)}
      </>
    )
  }
  return (
    <Tabs
      className={styles.tabs}
      aria-label={t('tools')}
      activeKey={open}
      onChange={onOpen}
      tabBarGutter={24}
      items={named.map(({ key, label }) => ({ key, label, children: pane(key) }))}
    />
  )
}

function OutOfUse({ token }: { token: ApiToken }) {
  const { t } = useTranslation('connect')
  return (
    <span className={styles.outOfUse}>
      {t('outOfUse')}
      <TokenStatus token={token} />
    </span>
  )
}

/** The key of a token that was just created. */
function NewKey({ text }: { text: string }) {
  const { t } = useTranslation('connect')
  const copyText = useCopyText()
  return (
    <section className={styles.newKey} aria-label={t('key')}>
      <code className={`mono ${styles.factText}`}>{text}</code>
      <Button type="primary" icon={<CopyOutlined aria-hidden />} onClick={() => void copyText(text)}>
        {t('copyToken')}
      </Button>
      <p className={styles.newKeyHint}>{t('copyAgain')}</p>
    </section>
  )
}

interface FactsProps {
  connection: Connection
  /** Masked unless revealed; undefined if it is shown elsewhere. */
  shownKey: string | undefined
  isShown: boolean
  onShow(shown: boolean): void
  models: readonly string[]
  loading: boolean
  onModel(model: string): void
}

/** Base URL, key and model. The key of a new token is shown above them. */
function ConnectionFacts({ connection, shownKey, isShown, onShow, models, loading, onModel }: FactsProps) {
  const { t } = useTranslation('connect')
  const { address, key, model } = connection
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt>{t('address')}</dt>
        <dd>
          <code className={`mono ${styles.factText}`}>{address}</code>
          <CopyButton text={address} label={t('copyAddress')} />
        </dd>
      </div>
      {shownKey !== undefined && (
        <div className={styles.fact}>
          <dt>{t('key')}</dt>
          <dd>
            <code className={`mono ${styles.factText}`}>{shownKey}</code>
            <Button
              size="small"
              type="text"
              aria-label={t(isShown ? 'hideKey' : 'showKey')}
              aria-pressed={isShown}
              icon={isShown ? <EyeInvisibleOutlined aria-hidden /> : <EyeOutlined aria-hidden />}
              onClick={() => onShow(!isShown)}
            />
            <span data-first-focus>
              <CopyButton text={key} label={t('copyKey')} />
            </span>
          </dd>
        </div>
      )}
      <div className={styles.fact}>
        <dt>
          <label htmlFor="connect-model">{t('model')}</label>
        </dt>
        <dd>
          <Select
            id="connect-model"
            className={`mono ${styles.model}`}
            showSearch
            value={models.includes(model) ? model : null}
            placeholder={t('modelPlaceholder')}
            disabled={models.length === 0}
            loading={loading}
            options={models.map((name) => ({ value: name, label: name }))}
            onChange={(chosen) => chosen && onModel(chosen)}
          />
          <CopyButton text={model} label={t('copyModel')} />
        </dd>
      </div>
    </dl>
  )
}
