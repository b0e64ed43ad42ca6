import { useTranslation } from 'react-i18next'
import { Modal } from '../../ui/kit/index.ts'
import { shortcutName } from '../palette/use-palette.ts'
import type { NavigationKey } from '../shell/navigation.ts'
import styles from './shortcuts.module.css'

const IN_LISTS = [
  { keys: ['/'], text: 'search' },
  { keys: ['j', 'k'], text: 'move' },
  { keys: ['↵'], text: 'open' },
  { keys: ['x'], text: 'select' },
  { keys: ['Esc'], text: 'close' },
] as const

interface Props {
  open: boolean
  onClose(): void
  pages: readonly { key: string; name: NavigationKey }[]
}

/** All keyboard shortcuts. */
export default function ShortcutList({ open, onClose, pages }: Props) {
  const { t } = useTranslation('shell')
  return (
    <Modal title={t('shortcuts.title')} open={open} onCancel={onClose} footer={null} width={480}>
      <dl className={styles.list}>
        <Shortcut keys={[shortcutName()]} text={t('palette')} />
        <Shortcut keys={['?']} text={t('shortcuts.title')} />
        {IN_LISTS.map(({ keys, text }) => (
          <Shortcut key={text} keys={keys} text={t(`shortcuts.${text}`)} />
        ))}
        {pages.map(({ key, name }) => (
          <Shortcut key={key} keys={['g', key]} text={t(`navigation.${name}`)} />
        ))}
      </dl>
    </Modal>
  )
}

function Shortcut({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <div className={styles.row}>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  )
}
