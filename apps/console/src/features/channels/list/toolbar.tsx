import { CheckSquareOutlined, ReloadOutlined, SettingOutlined } from '@ant-design/icons'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsNarrow } from '../../../lib/use-media.ts'
import { Button, Switch } from '../../../ui/kit/index.ts'
import styles from '../channels.module.css'
import type { useListState } from './use-list-state.ts'

interface Props {
  state: Pick<ReturnType<typeof useListState>, 'idSort' | 'setIdSort' | 'tagMode' | 'setTagMode'>
  selecting: boolean
  onSelecting(selecting: boolean): void
  onRefresh(): void
  refreshing: boolean
  onColumns(): void
  batchMenu: ReactNode
}

/** How the list is shown, and what can be done with all of it. */
export function Toolbar({ state, selecting, onSelecting, onRefresh, refreshing, onColumns, batchMenu }: Props) {
  const { t } = useTranslation('channels')
  const { t: common } = useTranslation()
  const isNarrow = useIsNarrow() // cards have no columns
  return (
    <div className={styles.toolbar}>
      <Choice label={t('toolbar.idSort')} checked={state.idSort} onChange={state.setIdSort} />
      <Choice label={t('toolbar.tagMode')} checked={state.tagMode} onChange={state.setTagMode} />
      <span className={styles.toolbarButtons}>
        <Button
          icon={<CheckSquareOutlined aria-hidden />}
          aria-pressed={selecting}
          type={selecting ? 'primary' : 'default'}
          ghost={selecting}
          onClick={() => onSelecting(!selecting)}
        >
          {t('toolbar.select')}
        </Button>
        {batchMenu}
        {!isNarrow && (
          <Button icon={<SettingOutlined aria-hidden />} onClick={onColumns}>
            {t('toolbar.columns')}
          </Button>
        )}
        <Button icon={<ReloadOutlined aria-hidden />} loading={refreshing} onClick={onRefresh}>
          {common('refresh')}
        </Button>
      </span>
    </div>
  )
}

function Choice({ label, checked, onChange }: { label: string; checked: boolean; onChange(checked: boolean): void }) {
  const id = useId()
  return (
    <span className={styles.choice}>
      <Switch id={id} size="small" checked={checked} onChange={onChange} aria-label={label} />
      <label htmlFor={id}>{label}</label>
    </span>
  )
}
