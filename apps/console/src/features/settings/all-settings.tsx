import { FileTextOutlined, HistoryOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useIsPhone } from '../../lib/use-media.ts'
import { Button, Tabs } from '../../ui/kit/index.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { UnsavedGuard, useConfirmDiscard } from '../../ui/form/unsaved-guard.tsx'
import { AddressNotice } from './address-notice.tsx'
import { ConfigDrawer } from './config-file/config-drawer.tsx'
import { HistoryDrawer } from './history/history-drawer.tsx'
import { OpenHistoryProvider } from './history/open-history.ts'
import { SettingsSearch } from './search/settings-search.tsx'
import { sectionsOf, TABS, type Tab } from './sections/index.ts'
import styles from './settings.module.css'
import { TabPane } from './tab-pane.tsx'
import { usePanel } from './use-panel.ts'
import { useUnsaved } from './use-unsaved.ts'

/** Everything that the super admin can set. Tabs hold nothing back: leaving one with changes asks first. */
export function AllSettings({ mapping }: { mapping: ReactNode }) {
  const { t } = useTranslation('settings')
  const { t: shell } = useTranslation('shell')
  const { search } = useLocation()
  const navigate = useNavigate()
  const confirmDiscard = useConfirmDiscard()
  const panel = usePanel()
  const { unsaved, onUnsaved } = useUnsaved()
  const asked = new URLSearchParams(search).get('tab')
  const open = TABS.find((tab) => tab === asked) ?? TABS[0]

  const go = (tab: Tab, hash = '') => {
    const turn = () => void navigate({ search: tab === TABS[0] ? '' : `?tab=${tab}`, hash }, { replace: true })
    if (tab === open || unsaved.size === 0) turn()
    else confirmDiscard({ onDiscard: turn })
  }
  return (
    <>
      <UnsavedGuard hasChanges={() => unsaved.size > 0} />
      <PageHeader
        title={shell('titles.settings')}
        purpose={t('purpose')}
        action={
          <>
            <SettingsSearch onChoose={({ tab, key }) => go(tab, key)} />
            <Button icon={<HistoryOutlined aria-hidden />} onClick={() => panel.openHistory('')}>
              {t('history.open')}
            </Button>
            <Button icon={<FileTextOutlined aria-hidden />} onClick={panel.openConfig}>
              {t('configFile.open')}
            </Button>
          </>
        }
      />
      <AddressNotice onFix={() => go('system', 'ServerAddress')} />
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
        // Closer on a phone, where they would not fit and the kit would hide the last ones in a menu.
        tabBarGutter={useIsPhone() ? 16 : 32}
        destroyOnHidden
        items={TABS.map((tab) => ({
          key: tab,
          label: t(`tabs.${tab}`),
          children: (
            <OpenHistoryProvider value={panel.openHistory}>
              <TabPane
                sections={sectionsOf(tab)}
                hasSiteFacts={tab === 'other'}
                mapping={mapping}
                unsaved={unsaved}
                onUnsaved={onUnsaved}
              />
            </OpenHistoryProvider>
          ),
        }))}
      />
    </>
  )
}
