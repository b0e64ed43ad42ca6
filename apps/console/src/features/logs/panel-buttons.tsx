import { CloseOutlined, DownOutlined, ExpandAltOutlined, UpOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useIsNarrow } from '../../lib/use-media.ts'
import { Button, Tooltip } from '../../ui/kit/index.ts'
import styles from './request.module.css'

export interface PanelActions {
  page: ReactNode
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose(): void
}

/** The buttons of the request panel, with their keyboard shortcuts. */
export function PanelButtons({ panel: { page, onPrevious, onNext, onClose } }: { panel: PanelActions }) {
  const { t } = useTranslation('logs')
  const { t: common } = useTranslation()
  return (
    <span className={styles.panelButtons}>
      <IconButton label={t('panel.previous')} keyName="k" icon={<UpOutlined aria-hidden />} onClick={onPrevious} />
      <IconButton label={t('panel.next')} keyName="j" icon={<DownOutlined aria-hidden />} onClick={onNext} />
      {page}
      <IconButton label={common('close')} keyName="Esc" icon={<CloseOutlined aria-hidden />} onClick={onClose} />
    </span>
  )
}

interface IconButtonProps {
  label: string
  keyName: string
  icon: ReactNode
  onClick: (() => void) | undefined
}

function IconButton({ label, keyName, icon, onClick }: IconButtonProps) {
  const isNarrow = useIsNarrow()
  return (
    <Tooltip title={label}>
      <Button
        size="small"
        type="text"
        aria-label={isNarrow ? label : undefined}
        aria-keyshortcuts={keyName === 'Esc' ? 'Escape' : keyName}
        icon={icon}
        disabled={!onClick}
        onClick={onClick}
      >
        {!isNarrow && (
          <>
            <span className="visually-hidden">{label}</span>
            <kbd className="mono secondary" aria-hidden>
              {keyName}
            </kbd>
          </>
        )}
      </Button>
    </Tooltip>
  )
}

/** Link to the page of a request, for the panel. */
export function PageLink({ requestId, list }: { requestId: string; list: string }) {
  const { t } = useTranslation('logs')
  return (
    <Tooltip title={t('details.openRequest')}>
      <Link
        className={styles.pageLink}
        to={`/app/logs/request/${encodeURIComponent(requestId)}`}
        state={{ list }}
        aria-label={t('details.openRequest')}
      >
        <ExpandAltOutlined aria-hidden />
      </Link>
    </Tooltip>
  )
}
