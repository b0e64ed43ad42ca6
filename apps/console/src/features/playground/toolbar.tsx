import {
  ClearOutlined,
  CodeOutlined,
  DownloadOutlined,
  EllipsisOutlined,
  HistoryOutlined,
  PlusOutlined,
  SettingOutlined,
} from '@ant-design/icons'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../lib/use-media.ts'
import { Button, Dropdown, Tooltip, type MenuProps } from '../../ui/kit/index.ts'
import { PageTitle } from '../../ui/page/page-header.tsx'
import { exportConversation, type ExportFormat } from './conversation/export-conversation.ts'
import { currentConversation, startConversation, toggleContext, usePlayground } from './conversation/store.ts'
import styles from './toolbar.module.css'

const CodeDialog = lazy(() => import('./code-dialog.tsx'))
const HistoryDrawer = lazy(() => import('./history-drawer.tsx'))

interface Props {
  hasSettings: boolean
  onSettings(): void
}

/** The title of the page and the actions on the open conversation. */
export function Toolbar({ hasSettings, onSettings }: Props) {
  const { t } = useTranslation('playground')
  const { t: shell } = useTranslation('shell')
  const { t: common } = useTranslation()
  const isNarrow = useIsNarrow()
  const conversation = usePlayground(currentConversation)
  const [opened, setOpened] = useState<'code' | 'history' | null>(null)
  const save = (format: ExportFormat) => {
    const texts = { question: t('export.question'), untitled: t('history.untitled'), thinking: t('answer.thinking') }
    exportConversation(conversation, format, texts)
  }
  const isEmpty = conversation.turns.length === 0
  const isCleared = conversation.turns.at(-1)?.endsContext ?? false
  const clearText = isCleared ? t('tools.restore') : t('tools.clear')
  const exports: NonNullable<MenuProps['items']> = [
    { key: 'markdown', label: t('tools.markdown'), onClick: () => save('markdown'), disabled: isEmpty },
    { key: 'json', label: t('tools.json'), onClick: () => save('json'), disabled: isEmpty },
  ]
  const more: NonNullable<MenuProps['items']> = [
    {
      key: 'clear',
      icon: <ClearOutlined aria-hidden />,
      label: clearText,
      disabled: isEmpty,
      onClick: toggleContext,
    },
    { key: 'code', icon: <CodeOutlined aria-hidden />, label: t('tools.code'), onClick: () => setOpened('code') },
    ...exports,
  ]
  return (
    <header className={styles.bar}>
      <PageTitle>{shell('titles.playground')}</PageTitle>
      <div className={styles.tools}>
        <Tool
          label={t('settings.title')}
          icon={<SettingOutlined aria-hidden />}
          isOn={hasSettings}
          onClick={onSettings}
        />
        <Tool label={t('tools.history')} icon={<HistoryOutlined aria-hidden />} onClick={() => setOpened('history')} />
        {isNarrow ? (
          <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: more }}>
            <Button icon={<EllipsisOutlined aria-hidden />} aria-label={common('more')} />
          </Dropdown>
        ) : (
          <>
            <Tool label={t('tools.code')} icon={<CodeOutlined aria-hidden />} onClick={() => setOpened('code')} />
            <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: exports }}>
              <Button icon={<DownloadOutlined aria-hidden />} aria-label={t('tools.export')} />
            </Dropdown>
            <Button icon={<ClearOutlined aria-hidden />} disabled={isEmpty} onClick={toggleContext}>
              {clearText}
            </Button>
          </>
        )}
        <Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={startConversation} disabled={isEmpty}>
          {t('tools.new')}
        </Button>
      </div>
      <Suspense>
        {opened === 'code' && <CodeDialog conversation={conversation} onClose={() => setOpened(null)} />}
        {opened === 'history' && <HistoryDrawer onClose={() => setOpened(null)} />}
      </Suspense>
    </header>
  )
}

interface ToolProps {
  label: string
  icon: ReactNode
  /** For a tool that can be on or off. */
  isOn?: boolean
  onClick(): void
}

function Tool({ label, icon, isOn, onClick }: ToolProps) {
  return (
    <Tooltip title={label}>
      <Button icon={icon} aria-label={label} onClick={onClick} {...(isOn !== undefined && { 'aria-pressed': isOn })} />
    </Tooltip>
  )
}
