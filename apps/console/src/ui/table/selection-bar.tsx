import { CloseOutlined, UpOutlined } from '@ant-design/icons'
import { useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { Button } from '../kit/index.ts'
import styles from './selection-bar.module.css'

interface Props {
  count: number
  onSelectPage(): void
  onClear(): void
  /** Actions on the selected rows. */
  children: ReactNode
}

/** Stays at the bottom of the window while rows are selected. On phones it is one line, with the actions in a menu above it. */
export function SelectionBar({ count, onSelectPage, onClear, children }: Props) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (useIsPhone()) {
    return (
      <section className={styles.bar} aria-label={t('selection.label')} data-selection-bar>
        <Button
          type="text"
          aria-label={t('selection.none')}
          title={t('selection.none')}
          icon={<CloseOutlined aria-hidden />}
          onClick={onClear}
        />
        <output className={styles.count}>{t('selection.count', { count })}</output>
        <Button
          className={styles.actions}
          type="primary"
          aria-expanded={isOpen}
          aria-controls={id}
          icon={<UpOutlined aria-hidden rotate={isOpen ? 180 : 0} />}
          iconPlacement="end"
          onClick={() => setOpen(!isOpen)}
        >
          {t('selection.label')}
        </Button>
        {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- closes after a click on one of its buttons */}
        <div id={id} className={styles.menu} hidden={!isOpen} onClick={() => setOpen(false)}>
          <Button type="text" onClick={onSelectPage}>
            {t('selection.shown')}
          </Button>
          {children}
        </div>
      </section>
    )
  }
  return (
    <section className={styles.bar} aria-label={t('selection.label')}>
      <output className={styles.count}>{t('selection.count', { count })}</output>
      <Button size="small" type="link" onClick={onSelectPage}>
        {t('selection.shown')}
      </Button>
      <Button size="small" type="link" onClick={onClear}>
        {t('selection.none')}
      </Button>
      <div className={styles.actions}>{children}</div>
    </section>
  )
}
