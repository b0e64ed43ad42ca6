import { CodeOutlined, DownOutlined, EllipsisOutlined, ImportOutlined, PartitionOutlined } from '@ant-design/icons'
import { isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { optionsQuery, type Options } from '../../api/options.ts'
import { ownAreasQuery } from '../../api/own-areas.ts'
import { useSession } from '../../api/session.ts'
import { SimulationView } from '../../components/price-simulation/simulate-button.tsx'
import { simulatedChanges } from '../../components/price-simulation/simulation-query.ts'
import { LoadError } from '../../components/resource/load-error.tsx'
import { toast } from '../../lib/toast.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useLast } from '../../lib/use-last.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { SkeletonRows } from '../../ui/feedback/skeleton.tsx'
import { UnsavedGuard, useConfirmDiscard } from '../../ui/form/unsaved-guard.tsx'
import { App, Button, Dropdown, Tabs } from '../../ui/kit/index.ts'
import { SideDrawer } from '../../ui/overlay/side-drawer.tsx'
import { PageHeader, PhoneActions } from '../../ui/page/page-header.tsx'
import { useResetModelRatio } from './api.ts'
import { AddGroupButton, GroupsTab } from './groups-tab.tsx'
import { readGroups } from './groups.ts'
import { HistoryTab, type RenderRawChange } from './history/history-tab.tsx'
import { ModelsTab, useModelRows } from './models-tab.tsx'
import { PresetDialog } from './preset-dialog.tsx'
import { readNumbers } from './price-list.ts'
import styles from './prices.module.css'
import { UnsavedBar } from './unsaved-bar.tsx'
import { usePriceDraft } from './use-price-draft.ts'

const TABS = ['models', 'groups', 'simulation', 'history'] as const
type Tab = (typeof TABS)[number]

const PANELS = ['json', 'fallback'] as const
type Panel = (typeof PANELS)[number]
/** Renders forms with the price options as JSON, or with the fallback prices. */
export type RenderPanel = (panel: Panel, onUnsaved: (hasChanges: boolean) => void) => ReactNode

interface Props {
  renderRawChange: RenderRawChange
  renderPanel: RenderPanel
}

/** Prices of models and groups, with the effect of a change before it is published. */
export default function PricesPage(props: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const options = useQuery(optionsQuery)
  if (options.data) return <LoadedPrices {...props} options={options.data} />
  return (
    <>
      <PageHeader title={t('prices.title')} purpose={t('prices.purpose')} />
      {options.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={options.error}
          retrying={options.isFetching}
          onRetry={options.refetch}
        />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </>
  )
}

function LoadedPrices({ options, renderRawChange, renderPanel }: Props & { options: Options }) {
  const { t } = useTranslation('settings')
  const { search, change } = useUrlState()
  const isPhone = useIsPhone()
  const confirmDiscard = useConfirmDiscard()
  const draft = usePriceDraft(options)
  const { rows, error, retry } = useModelRows({ draft, options })
  const tabs = useTabs()
  const tab = tabs.find((name) => name === search.get('tab')) ?? tabs[0]!
  const panel = PANELS.find((name) => name === search.get('panel')) ?? null
  const shownPanel = useLast(panel)
  const unpriced = rows?.filter(({ isUnpriced }) => isUnpriced).length ?? 0
  const labels: Record<Tab, ReactNode> = {
    models: (
      <>
        {t('prices.tabs.models')}
        {unpriced > 0 && <span className={styles.badge}>{t('prices.unpricedCount', { count: unpriced })}</span>}
      </>
    ),
    groups: `${t('prices.tabs.groups')} ${draft.groups.groups.length}`,
    simulation: t('prices.tabs.simulation'),
    history: t('prices.tabs.history'),
  }
  const panes: Record<Tab, ReactNode> = {
    models: <ModelsTab draft={draft} options={options} rows={rows} error={error} onRetry={retry} />,
    groups: <GroupsTab stored={readGroups(options.texts)} settings={draft.groups} onChange={draft.setGroups} />,
    simulation: (
      <SimulationTab draft={draft} options={options} onEdit={() => change({ tab: null }, { replace: true })} />
    ),
    history: (
      <HistoryTab
        draft={draft}
        options={options}
        rows={rows}
        renderRaw={renderRawChange}
        onRevert={(count) => toast.success(t('prices.history.reverted', { count }))}
      />
    ),
  }
  const [isPanelUnsaved, setIsPanelUnsaved] = useState(false)
  const closePanel = () => {
    const close = () => change({ panel: null }, { replace: true })
    if (isPanelUnsaved) confirmDiscard({ onDiscard: close })
    else close()
  }
  const openPanel = (name: Panel) => {
    const open = () => change({ panel: name }, { replace: true })
    // The JSON would overwrite the changes of the draft. The draft has no fallback prices.
    if (name === 'fallback' || draft.changes.length === 0) return open()
    confirmDiscard({
      onDiscard: () => {
        draft.clear()
        open()
      },
    })
  }
  const addGroup = tab === 'groups' && <AddGroupButton settings={draft.groups} onChange={draft.setGroups} />
  return (
    <>
      <UnsavedGuard hasChanges={() => draft.changes.length > 0 || isPanelUnsaved} />
      <PageHeader
        title={t('prices.title')}
        purpose={t('prices.purpose')}
        action={
          <>
            <HeaderActions draft={draft} options={options} onPanel={openPanel} />
            {!isPhone && addGroup}
          </>
        }
      />
      {isPhone && addGroup && draft.changes.length === 0 && <PhoneActions>{addGroup}</PhoneActions>}
      <Tabs
        className={styles.tabs}
        activeKey={tab}
        tabBarGutter={isPhone ? 16 : 32}
        destroyOnHidden
        onChange={(next) =>
          change({ tab: next === 'models' ? null : next, keyword: null, actor: null, page: null }, { replace: true })
        }
        items={tabs.map((key) => ({ key, label: labels[key], children: panes[key] }))}
      />
      <UnsavedBar
        draft={draft}
        rows={rows ?? []}
        storedGroups={readGroups(options.texts)}
        onDiscard={() => confirmDiscard({ onDiscard: draft.clear })}
      />
      <SideDrawer
        title={shownPanel === 'fallback' ? t('parts.fallback.title') : t('prices.json')}
        open={panel !== null}
        onClose={closePanel}
      >
        {shownPanel && renderPanel(shownPanel, setIsPanelUnsaved)}
      </SideDrawer>
    </>
  )
}

/** Groups need their own settings area; the history is for the super admin. */
function useTabs(): readonly Tab[] {
  const isSuperAdmin = useSession(({ user }) => isRoot(user?.role ?? 0))
  const { data: areas = [] } = useQuery({ ...ownAreasQuery, enabled: !isSuperAdmin })
  if (isSuperAdmin) return TABS
  return TABS.filter((tab) => tab !== 'history' && (tab !== 'groups' || areas.includes('groups')))
}

interface PartProps {
  draft: ReturnType<typeof usePriceDraft>
  options: Options
}

/** Without a draft, shows the cost at current prices. */
function SimulationTab({ draft, options, onEdit }: PartProps & { onEdit(): void }) {
  const { t } = useTranslation('settings')
  const changes = simulatedChanges(draft.changes)
  if (changes.length === 0) {
    // The endpoint needs a change. The stored value leaves all prices as they are.
    const unchanged = [{ key: 'ModelPrice' as const, value: options.texts.ModelPrice ?? '{}' }]
    return (
      <>
        <div className={styles.tools}>
          <p className={styles.lead}>{t('prices.simulation.noDraftHint')}</p>
          <span className={styles.toolButtons}>
            <Button onClick={onEdit}>{t('prices.simulation.edit')}</Button>
          </span>
        </div>
        <SimulationView changes={unchanged} isBaseline />
      </>
    )
  }
  return (
    <>
      <p className={styles.lead}>{t('prices.simulation.hint')}</p>
      <SimulationView changes={changes} />
    </>
  )
}

function HeaderActions({ draft, options, onPanel }: PartProps & { onPanel(panel: Panel): void }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const isPhone = useIsPhone()
  const [isImporting, setIsImporting] = useState(false)
  const { change } = useUrlState()
  const askReset = useAskReset(options)
  const importList = { icon: <ImportOutlined aria-hidden />, onClick: () => setIsImporting(true) }
  return (
    <>
      {!isPhone && <Button {...importList}>{t('prices.preset.open')}</Button>}
      <Dropdown
        trigger={['click']}
        menu={{
          items: [
            ...(isPhone ? [{ key: 'import', label: t('prices.preset.open'), ...importList }] : []),
            {
              key: 'fallback',
              icon: <PartitionOutlined aria-hidden />,
              label: t('parts.fallback.title'),
              onClick: () => onPanel('fallback'),
            },
            {
              key: 'json',
              icon: <CodeOutlined aria-hidden />,
              label: t('prices.json'),
              onClick: () => onPanel('json'),
            },
            { key: 'reset', label: t('prices.reset.open'), danger: true, onClick: askReset },
          ],
        }}
      >
        {isPhone ? (
          <Button aria-label={common('more')} icon={<EllipsisOutlined aria-hidden />} />
        ) : (
          <Button>
            {t('prices.advanced')} <DownOutlined aria-hidden />
          </Button>
        )}
      </Dropdown>
      <PresetDialog
        open={isImporting}
        stored={draft.stored}
        draft={draft.draft}
        onClose={() => setIsImporting(false)}
        onApply={(rows) => {
          draft.enter(rows.map(({ name, after }) => [name, after]))
          setIsImporting(false)
          toast.success(t('prices.preset.applied', { count: rows.length }))
          change({ tab: null, show: 'changed', page: null }, { replace: true })
        }}
      />
    </>
  )
}

/** Restores the built-in model ratios after a confirmation with the number of lost ratios. */
function useAskReset({ texts, facts }: Options): () => void {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const reset = useResetModelRatio()
  return () => {
    const builtIn = readNumbers(facts.get('ModelRatio')?.default)
    const count = [...readNumbers(texts.ModelRatio)].filter(([name, ratio]) => builtIn.get(name) !== ratio).length
    modal.confirm({
      title: t('prices.reset.title'),
      content: count === 0 ? t('prices.reset.nothing') : t('prices.reset.text', { count }),
      okText: t('prices.reset.action'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      onOk: () =>
        reset.mutateAsync().then(
          () => toast.success(t('prices.reset.done')),
          () => toast.error(t('prices.reset.failed')),
        ),
    })
  }
}
