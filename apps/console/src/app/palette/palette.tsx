import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../lib/use-media.ts'
import { Modal } from '../../ui/kit/index.ts'
import { PaletteBox } from './palette-box.tsx'
import { closePalette, usePalette } from './use-palette.ts'

/** Above drawers and dialogs, below messages. */
const Z_INDEX = 1005

/** The command palette. */
export function Palette({ open }: { open: boolean }) {
  const { t } = useTranslation('palette')
  const isPhone = useIsPhone()
  const field = useRef<HTMLInputElement>(null)
  return (
    <Modal
      open={open}
      title={t('title')}
      footer={null}
      closable={false}
      width={600}
      zIndex={Z_INDEX}
      style={{ top: isPhone ? 8 : '12vh' }}
      styles={{ header: { display: 'none' }, container: { padding: 0, overflow: 'hidden' } }}
      // Without animation, because it is used often.
      transitionName=""
      maskTransitionName=""
      destroyOnHidden
      focusable={{ focusTriggerAfterClose: false }}
      onCancel={close}
      // The dialog takes the focus first.
      afterOpenChange={(isOpen) => isOpen && field.current?.focus()}
    >
      <PaletteBox field={field} onClose={close} />
    </Modal>
  )
}

/** Closes the palette and restores the focus. */
function close(): void {
  const { opener } = usePalette.getState()
  closePalette()
  // After the dialog has released the focus.
  requestAnimationFrame(() => {
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true })
  })
}
