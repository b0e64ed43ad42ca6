import type { ReactNode } from 'react'
import { Dropdown, type MenuProps } from '../kit/index.ts'
import styles from './lazy-popup.module.css'
import { RowButton } from '../table/row-button.tsx'
import { useLatePopup } from './use-lazy-popup.ts'

interface Props {
  label: string
  /** Called when the menu opens. */
  items(): NonNullable<MenuProps['items']>
  outlined?: boolean
  busy?: boolean
  children: ReactNode
}

/** A button in a table row that opens a menu. */
export function MenuButton({ items, ...props }: Props) {
  const { open, button, close } = useLatePopup()
  return (
    <span className={styles.place}>
      <RowButton {...props} {...button} aria-haspopup="menu" />
      {open && (
        <Dropdown
          open
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user opened the menu
          autoFocus
          trigger={['click']}
          placement="bottomRight"
          menu={{ items: items() }}
          onOpenChange={(isOpen) => !isOpen && close()}
        >
          <span aria-hidden className={styles.anchor} />
        </Dropdown>
      )}
    </span>
  )
}
