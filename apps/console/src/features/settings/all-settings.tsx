import { FileTextOutlined, HistoryOutlined } from '@ant-design/icons'
import { useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useStatus } from '../../api/status.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { UnsavedGuard, useConfirmDiscard } from '../../ui/form/unsaved-guard.tsx'
import { Alert, Button, Tabs } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { ConfigDrawer } from './config-file/config-drawer.tsx'
import { useUnsavedSections } from './form/save-bar.tsx'
import { OpenHistory } from './history/history-button.tsx'
import { HistoryDrawer } from './history/history-drawer.tsx'
import { SettingsSearch } from './search/settings-search.tsx'
import { PRICE_PATHS, sectionsOf, TABS, type Tab } from './sections/index.ts'
import styles from './settings.module.css'
import { TabPane } from './tab-pane.tsx'

/** All settings in tabs, for the super admin. Leaving a tab with unsaved changes asks for confirmation. */
export function AllSettings({ mapping }: { mapping: ReactNode }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { search } = useLocation()
  const navigate = useNavigate()
  const confirmDiscard = useConfirmDiscard()
  const panel = usePanel()
  const changes = useUnsavedSections()
  const requested = new URLSearchParams(search).get('tab')
  const open = TABS.find((tab) => tab === requested) ?? TABS[0]

  const go = (tab: Tab, hash = '') => {
    const show = () => void navigate({ search: tab === TABS[0] ? '' : `?tab=${tab}`, hash }, { replace: true })
    if (tab === open || changes.unsaved.size === 0) show()
    else confirmDiscard({ onDiscard: show })
  }
  return (
    <>
      <UnsavedGuard hasChanges={() => changes.unsaved.size > 0} />
      <PageHeader
        title={shell('titles.settings')}
        purpose={t('purpose')}
        action={
          <>
            <SettingsSearch
              onSelect={({ tab, section, key }) => {
                const path = PRICE_PATHS[section]
                if (path) void navigate(path)
                else go(tab, key)
              }}
            />
            <Button icon={<HistoryOutlined aria-hidden />} onClick={() => panel.openHistory('')}>
              {t('history.open')}
            </Button>
            <Button icon={<FileTextOutlined aria-hidden />} onClick={panel.openConfig}>
              {t('configFile.open')}
            </Button>
          </>
        }
      />
      <MissingAddress onFix={() => go('system', 'ServerAddress')} />
      <HistoryDrawer
        open={panel.open === 'history'}
        optionKey={panel.option}
        onFilter={panel.openHistory}
        onClose={panel.close}
      />
      <ConfigDrawer open={panel.open === 'config'} onClose={panel.close} />
      <Tabs
        className={styles.tabs}
        activeKey={open}
        onChange={(tab) => go(tab as Tab)}
        // A smaller gap on phones, so that no tab is hidden in the overflow menu.
        tabBarGutter={useIsPhone() ? 16 : 32}
        destroyOnHidden
        items={TABS.map((tab) => ({
          key: tab,
          label: t(`tabs.${tab}`),
          children: (
            <OpenHistory value={panel.openHistory}>
              <TabPane sections={sectionsOf(tab)} hasSiteInfo={tab === 'other'} mapping={mapping} changes={changes} />
            </OpenHistory>
          ),
        }))}
      />
    </>
  )
}

/** Warns that the public address is not set. It cannot be derived safely from requests. */
function MissingAddress({ onFix }: { onFix(): void }) {
  const { t } = useTranslation('settings')
  const { server_address } = useStatus()
  if (server_address !== '') return null
  return (
    <Alert
      className={styles.notice}
      type="warning"
      showIcon
      title={t('addressMissing.title')}
      action={
        <Button size="small" onClick={onFix}>
          {t('addressMissing.action')}
        </Button>
      }
    />
  )
}

/** The open drawer in the URL. Opening one adds no history entry, so that Back leaves the page. */
function usePanel() {
  const { search, change } = useUrlState()
  const panel = search.get('panel')
  const openHistory = useCallback(
    (key: string) => change({ panel: 'history', option: key === '' ? null : key }, { replace: true }),
    [change],
  )
  return {
    open: panel === 'history' || panel === 'config' ? panel : null,
    option: search.get('option') ?? '',
    openHistory,
    openConfig: () => change({ panel: 'config', option: null }, { replace: true }),
    close: () => change({ panel: null, option: null }, { replace: true }),
  } as const
}
