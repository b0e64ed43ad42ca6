import { CopyOutlined, DownOutlined, EllipsisOutlined, StopOutlined } from '@ant-design/icons'
import { REDEMPTION_STATUS, type Redemption } from '@tidegate/contract/api'
import { createContext, useContext, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../components/resource/use-change.ts'
import { formatBalance } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useBusy } from '../../lib/use-busy.ts'
import { useIsPhone } from '../../lib/use-media.ts'
import { useStableActions } from '../../lib/use-stable-actions.ts'
import { useCopyText } from '../../ui/feedback/use-copy-text.tsx'
import { App, Button, Dropdown, type MenuProps } from '../../ui/kit/index.ts'
import { MenuButton } from '../../ui/overlay/menu-button.tsx'
import { useConfirmDelete } from '../../ui/overlay/use-confirm-delete.ts'
import { RowButton } from '../../ui/table/row-button.tsx'
import type { Selection } from '../../ui/table/use-selection.ts'
import { CODES, deleteCode, deleteDisabledCodes, disableCodes, setCodeStatus } from './api.ts'
import { linesOf, stateOf, titleOf, type CodeState } from './code.ts'
import styles from './codes.module.css'
import { DeleteByNameDialog } from './delete-by-name-dialog.tsx'

/** Created once for the list: hooks in each of a hundred rows would be slow. */
export interface CodeActions {
  copy(code: Redemption): Promise<unknown>
  edit(id: number): void
  enable(code: Redemption): Promise<unknown>
  disable(code: Redemption): Promise<unknown>
  /** Asks for confirmation, then deletes. */
  remove(code: Redemption): void
}

export const CodeActionsContext = createContext<CodeActions | null>(null)

export function useActions(): CodeActions {
  const actions = useContext(CodeActionsContext)
  if (!actions) throw new Error('Rows need the actions of their list.')
  return actions
}

interface Options {
  edit(id: number): void
  onDeleted(id: number): void
}

export function useCodeActions({ edit, onDeleted }: Options): CodeActions {
  const { t } = useTranslation('coupons')
  const confirmDelete = useConfirmDelete()
  const copyText = useCopyText()
  const setStatus = useChange(CODES, setCodeStatus)
  const removeCode = useChange(CODES, deleteCode)

  // Errors are shown by the query client.
  const turn = ({ id }: Redemption, status: number) => setStatus({ id, status }).catch(() => {})
  const turnWithUndo = async (code: Redemption, action: 'enable' | 'disable') => {
    const [status, previous] = action === 'enable' ? [UNUSED, DISABLED] : [DISABLED, UNUSED]
    const changed = await turn(code, status)
    if (changed) toast.undo(t(`turned.${action}`, { name: titleOf(code) }), () => turn(code, previous))
  }
  return useStableActions<CodeActions>({
    copy: ({ key }) => copyText(key),
    edit,
    enable: (code) => turnWithUndo(code, 'enable'),
    disable: (code) => turnWithUndo(code, 'disable'),
    remove: (code) =>
      confirmDelete({
        title: t('delete.title', { name: titleOf(code) }),
        text: REDEEMED.has(stateOf(code))
          ? t('delete.usedText')
          : t('delete.text', { money: formatBalance(code.quota) }),
        onConfirm: async () => {
          await removeCode(code.id)
          toast.success(t('delete.done'))
          onDeleted(code.id)
        },
      }),
  })
}

const { unused: UNUSED, disabled: DISABLED } = REDEMPTION_STATUS
const REDEEMED: ReadonlySet<CodeState> = new Set(['used', 'usedUp'])

export function CodeActionButtons({ code }: { code: Redemption }) {
  const { t } = useTranslation('coupons')
  const actions = useActions()
  const { busy, run } = useBusy<'enable' | 'disable'>()
  const name = titleOf(code)
  const isUnused = code.status === UNUSED
  const turn = isUnused ? 'disable' : 'enable'
  return (
    <span className={styles.actions}>
      <RowButton outlined label={t('actionOn.copy', { name })} onClick={() => void actions.copy(code)}>
        {t('actions.copy')}
      </RowButton>
      <MenuButton
        busy={busy !== null}
        label={t('moreOf', { name })}
        items={() => [
          ...(isUnused ? [{ key: 'edit', label: t('actions.edit'), onClick: () => actions.edit(code.id) }] : []),
          {
            key: turn,
            label: t(`actions.${turn}`),
            disabled: code.status === REDEMPTION_STATUS.used,
            onClick: () => run(turn, () => actions[turn](code)),
          },
          { type: 'divider' as const },
          { key: 'delete', label: t('actions.delete'), danger: true, onClick: () => actions.remove(code) },
        ]}
      />
    </span>
  )
}

/** Actions on the selected codes. */
export function BatchActions({ selection }: { selection: Selection<Redemption> }) {
  const { t } = useTranslation('coupons')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const copyText = useCopyText()
  const disable = useChange(CODES, disableCodes)
  const { rows: codes, count } = selection
  const disableSelected = async () => {
    const disabled = await disable(codes.map(({ id }) => id))
    if (disabled === count) toast.success(t('selection.disabled', { count: disabled }))
    else toast.info(t('selection.disabledSome', { count: disabled, others: count - disabled }))
    selection.clear()
  }
  const confirmDisable = () =>
    void modal.confirm({
      title: t('selection.disableTitle', { count }),
      content: t('selection.disableText'),
      okText: t('selection.disableOk'),
      cancelText: common('cancel'),
      okButtonProps: { danger: true },
      onOk: () => disableSelected().catch(() => {}),
    })
  return (
    <>
      <Button
        icon={<CopyOutlined aria-hidden />}
        onClick={() => void copyText(linesOf(codes), t('selection.copied', { count }))}
      >
        {t('selection.copy')}
      </Button>
      <Button danger icon={<StopOutlined aria-hidden />} onClick={confirmDisable}>
        {t('selection.disable')}
      </Button>
    </>
  )
}

/** Deletes codes on all pages. */
export function CleanUpMenu() {
  const { t } = useTranslation('coupons')
  const confirmDelete = useConfirmDelete()
  const deleteDisabled = useChange(CODES, deleteDisabledCodes)
  const isPhone = useIsPhone()
  const [isDialogOpen, setDialogOpen] = useState(false)
  const confirmDeleteDisabled = () =>
    confirmDelete({
      title: t('cleanUp.disabledTitle'),
      text: t('cleanUp.disabledText'),
      onConfirm: async () => {
        const count = await deleteDisabled(undefined)
        if (count === 0) toast.info(t('cleanUp.noneDisabled'))
        else toast.success(t('cleanUp.deletedDisabled', { count }))
      },
    })
  const items: MenuProps['items'] = [
    { key: 'name', danger: true, label: t('cleanUp.byName'), onClick: () => setDialogOpen(true) },
    { key: 'disabled', danger: true, label: t('cleanUp.disabled'), onClick: confirmDeleteDisabled },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
        <Button
          aria-label={t('cleanUp.title')}
          icon={isPhone ? <EllipsisOutlined aria-hidden /> : <DownOutlined aria-hidden />}
          iconPlacement="end"
        >
          {!isPhone && t('cleanUp.title')}
        </Button>
      </Dropdown>
      <DeleteByNameDialog open={isDialogOpen} onClose={() => setDialogOpen(false)} />
    </>
  )
}
