import { useUrlState } from '../../../lib/url-state.ts'

export type DialogName = 'password' | 'email' | 'wechat' | 'telegram' | 'passkey' | 'automation' | 'delete'

/** A dialog that the address names, so that another screen can lead straight to it and "back" closes it. */
export function useDialog(name: DialogName) {
  const { search, change } = useUrlState()
  return {
    isOpen: search.get('dialog') === name,
    open: () => change({ dialog: name }),
    close: () => change({ dialog: null }, { replace: true }),
  }
}
