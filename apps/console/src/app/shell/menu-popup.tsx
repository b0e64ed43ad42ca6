import { Dropdown, type MenuProps } from '../../ui/kit/index.ts'
import styles from '../../ui/overlay/lazy-popup.module.css'

interface Props {
  menu: MenuProps
  onClose(): void
}

export default function MenuPopup({ menu, onClose }: Props) {
  return (
    <Dropdown
      open
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the menu
      autoFocus
      trigger={['click']}
      placement="bottomRight"
      menu={menu}
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <span aria-hidden className={styles.anchor} />
    </Dropdown>
  )
}
