import { CloseOutlined, DownOutlined, UpOutlined } from '@ant-design/icons'
import { CHANNEL_STATUS, UNTESTABLE_TYPES, type Channel } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ApiError } from '../../../api/errors.ts'
import { ProviderMark } from '../../../components/provider-mark.tsx'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { useBusy } from '../../../lib/use-busy.ts'
import { useIsPhone } from '../../../lib/use-media.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { useConfirmDiscard } from '../../../ui/form/unsaved-guard.tsx'
import { Button, Tabs } from '../../../ui/kit/index.ts'
import { SideDrawer } from '../../../ui/overlay/side-drawer.tsx'
import { panelChannelQuery, statsQuery } from '../api.ts'
import { splitNames } from '../channel-text.ts'
import { EditChannelForm } from '../editor/channel-drawer.tsx'
import { useActions } from '../list/actions.tsx'
import { ChannelNumber, groupsOf, STATE_TONES, stateOf, TypeName } from '../list/cells.tsx'
import { Tests } from '../model-test/model-tests.tsx'
import { HistoryTab } from './history-tab.tsx'
import { KeysTab } from './keys-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import styles from './panel.module.css'
import { PANEL_TABS, useHasRoomForPanel, type PanelTab } from './use-panel.ts'

interface Props {
  id: number
  open: boolean
  tab: PanelTab
  onTab(tab: PanelTab): void
  onClose(): void
  /** Undefined at the ends of the list. */
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
}

/** One channel beside the list, or over it on smaller screens. */
export function ChannelPanel({ id, open, tab, onTab, onClose, onPrevious, onNext }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const isBeside = useHasRoomForPanel()
  const isPhone = useIsPhone()
  const confirmDiscard = useConfirmDiscard()
  const query = useQuery({ ...panelChannelQuery(id), enabled: open })
  const channel = query.data
  /** Set by the settings form while it is mounted. */
  const hasChanges = useRef<() => boolean>(() => false)
  const leave = (action: () => void) => {
    if (hasChanges.current()) confirmDiscard({ onDiscard: action })
    else action()
  }
  const title = channel ? t('panel.label', { name: channel.name }) : t('panel.loading')
  const steps = (
    <span className={styles.steps}>
      {(
        [
          ['previous', onPrevious, <UpOutlined key="up" aria-hidden />],
          ['next', onNext, <DownOutlined key="down" aria-hidden />],
        ] as const
      ).map(([name, step, icon]) => (
        <Button
          key={name}
          type="text"
          size="small"
          aria-label={t(`panel.${name}`)}
          disabled={!step}
          icon={icon}
          onClick={() => step && leave(step)}
        />
      ))}
      <Button
        type="text"
        size="small"
        aria-label={common('close')}
        icon={<CloseOutlined aria-hidden />}
        onClick={() => leave(onClose)}
      />
    </span>
  )
  const content = (
    <>
      {channel ? <PanelHead channel={channel} steps={steps} /> : <div className={styles.head}>{steps}</div>}
      {channel ? (
        <Tabs
          className={styles.tabs}
          tabBarGutter={isPhone ? 16 : 32}
          activeKey={tab}
          onChange={(key) => leave(() => onTab(key as PanelTab))}
          destroyOnHidden
          items={tabItems(channel)}
        />
      ) : (
        <div className={styles.body}>{placeholder()}</div>
      )}
    </>
  )
  if (isBeside) {
    return open ? (
      <aside className={styles.panel} aria-label={title}>
        {content}
      </aside>
    ) : null
  }
  return (
    <SideDrawer
      rootClassName={styles.drawer}
      open={open}
      onClose={() => leave(onClose)}
      closable={false}
      aria-label={title}
    >
      {content}
    </SideDrawer>
  )

  function tabItems(one: Channel) {
    const channelId = one.id
    const disabled = one.disabled_key_count
    const contents: Record<PanelTab, { count?: ReactNode; body: ReactNode }> = {
      overview: { body: <OverviewTab channel={one} /> },
      models: {
        count: splitNames(one.models).length,
        body: <Tests channel={one} onChanged={() => void query.refetch()} />,
      },
      keys: {
        count:
          disabled > 0 ? (
            <StatusTag tone="warn" plain>
              {one.key_count - disabled}/{one.key_count}
            </StatusTag>
          ) : (
            one.key_count
          ),
        body: <KeysTab channel={one} />,
      },
      settings: {
        body: (
          <EditChannelForm
            key={channelId}
            open
            id={channelId}
            inPanel={(read) => {
              hasChanges.current = read
            }}
            onClose={() => onTab('overview')}
          />
        ),
      },
      history: { body: <HistoryTab id={channelId} /> },
    }
    return PANEL_TABS.map((key) => ({
      key,
      label: (
        <span className={styles.tab}>
          {t(`panel.tabs.${key}`)}
          {!isPhone && contents[key].count !== undefined && (
            <span className="secondary number">{contents[key].count}</span>
          )}
        </span>
      ),
      children: <div className={styles.body}>{contents[key].body}</div>,
    }))
  }

  function placeholder() {
    if (!query.error) return <SkeletonLines lines={8} title />
    const isGone = query.error instanceof ApiError && query.error.code === 'channel_not_found'
    return (
      <LoadError
        title={isGone ? t('form.notFound') : common('errors.loadFailed')}
        error={query.error}
        retrying={query.isFetching}
        onRetry={query.refetch}
      />
    )
  }
}

function PanelHead({ channel, steps }: { channel: Channel; steps: ReactNode }) {
  const { t } = useTranslation('channels')
  const actions = useActions()
  const { busy, run } = useBusy<'test' | 'status'>()
  const state = stateOf(channel, useQuery(statsQuery([channel.id])).data?.get(channel.id))
  const isEnabled = channel.status === CHANNEL_STATUS.enabled
  const inUse = channel.key_count - channel.disabled_key_count
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <ProviderMark type={channel.type} size={24} />
        <h2 className={styles.name} title={channel.name}>
          {channel.name}
        </h2>
        <StatusTag tone={STATE_TONES[state]}>{t(`states.${state}`)}</StatusTag>
        {steps}
      </div>
      <p className={styles.facts}>
        <span className="number">#{channel.id}</span>
        <TypeName type={channel.type} />
        <span>{t('panel.groups', { groups: groupsOf(channel).join(', ') })}</span>
        <span>{t('panel.keyCount', { inUse, total: channel.key_count })}</span>
        {channel.tag && (
          <StatusTag tone="neutral" plain>
            {channel.tag}
          </StatusTag>
        )}
      </p>
      <div className={styles.buttons}>
        {!UNTESTABLE_TYPES.has(channel.type) && (
          <Button size="small" loading={busy === 'test'} onClick={() => run('test', () => actions.test(channel))}>
            {t('testIt')}
          </Button>
        )}
        <Button
          size="small"
          loading={busy === 'status'}
          onClick={() => run('status', () => actions.setStatus([channel], !isEnabled))}
        >
          {t(isEnabled ? 'disable' : 'enable')}
        </Button>
        <Link to={`/app/logs/api-usage?channel=${channel.id}`}>{t('panel.logs')}</Link>
        <span className={styles.numbers}>
          {(['priority', 'weight'] as const).map((field) => (
            <span key={field}>
              <span className="secondary">{t(`columns.${field}`)}</span>
              <ChannelNumber key={channel.id} channel={channel} field={field} />
            </span>
          ))}
        </span>
      </div>
    </header>
  )
}
