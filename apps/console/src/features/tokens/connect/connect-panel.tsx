import { TOKEN_STATUS, type ApiToken } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../../lib/status.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { useUrlState } from '../../../lib/use-url-state.ts'
import { Alert, Select, Tabs } from '../../../ui/kit/index.ts'
import { TokenStatus } from '../list/cells.tsx'
import { ownModelsQuery } from '../queries.ts'
import { keyOf, maskedKeyOf } from '../token-words.ts'
import styles from './connect.module.css'
import { ConnectionFacts } from './connection-facts.tsx'
import { firstChoice, modelsOf } from './models-of.ts'
import { siteAddress } from './site-address.ts'
import { TOOLS, ToolPane } from './tool-pane.tsx'
import { TryIt } from './try/try-it.tsx'

const TABS = [...TOOLS, 'try'] as const
type Tab = (typeof TABS)[number]

/** Everything about connecting with one token: what it is reached by, tool by tool, and a call to see that it works. */
export function ConnectPanel({ token }: { token: ApiToken }) {
  const { t } = useTranslation('connect')
  const { search, change } = useUrlState()
  const { server_address: serverAddress } = useStatus()
  const [isShown, setShown] = useState(false)
  const [chosen, setChosen] = useState<string>()
  const own = useQuery({ ...ownModelsQuery, enabled: !token.model_limits_enabled })
  const models = modelsOf(token, own.data ?? [])
  const isLoading = !token.model_limits_enabled && own.isPending
  const model = chosen ?? firstChoice(models)

  const copied = { address: siteAddress(serverAddress), key: keyOf(token), model: model ?? t('modelPlaceholder') }
  const shown = isShown ? copied : { ...copied, key: maskedKeyOf(token) }
  const open = TABS.find((tab) => tab === search.get('tool')) ?? TABS[0]
  // The tool is no step of its own: "back" closes the dialog.
  const turn = (tab: string) => change({ tool: tab === TABS[0] ? null : tab }, { replace: true })
  return (
    <>
      {token.status !== TOKEN_STATUS.enabled && (
        <Alert className={styles.alert} type="warning" showIcon title={<OutOfUse token={token} />} />
      )}
      {!isLoading && models.length === 0 && (
        <Alert className={styles.alert} type="warning" showIcon title={t(own.error ? 'modelsFailed' : 'noModels')} />
      )}
      <ConnectionFacts
        connection={copied}
        shownKey={shown.key}
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
    if (tab === 'try') return <TryIt token={token} address={copied.address} model={model} />
    return <ToolPane tool={tab} shown={shown} copied={copied} />
  }
}

interface ChoiceProps {
  open: Tab
  onOpen(tab: string): void
  pane(tab: Tab): ReactNode
}

/** Tabs where there is room for all of them; on a phone the last ones would hide in a menu. */
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
