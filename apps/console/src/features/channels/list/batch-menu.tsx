import { DownOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button, Dropdown, type MenuProps } from '../../../ui/kit/index.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { useDeleteDisabled, useFixChannels } from '../mutations.ts'
import type { useSweep } from './sweeps.ts'

interface Props {
  tests: ReturnType<typeof useSweep>
  balances: ReturnType<typeof useSweep>
  onVirtualModels(): void
}

/** What can be done with all channels at once. */
export function BatchMenu({ tests, balances, onVirtualModels }: Props) {
  const { t } = useTranslation('channels')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteDisabled()
  const fix = useFixChannels()
  const items: MenuProps['items'] = [
    {
      key: 'tests',
      label: t('batch.tests'),
      disabled: tests.isRunning,
      onClick: () => tests.start.mutate(),
    },
    {
      key: 'balances',
      label: t('batch.balances'),
      disabled: balances.isRunning,
      onClick: () => balances.start.mutate(),
    },
    {
      key: 'fix',
      label: t('batch.fix'),
      onClick: () => fix.mutate(undefined, { onSuccess: (count) => toast.success(t('batch.fixed', { count })) }),
    },
    { key: 'virtual', label: t('batch.virtualModels'), onClick: onVirtualModels },
    { type: 'divider' },
    {
      key: 'deleteDisabled',
      danger: true,
      label: t('batch.deleteDisabled'),
      onClick: () =>
        confirmDelete({
          title: t('batch.deleteDisabledTitle'),
          text: t('batch.deleteDisabledText'),
          onConfirm: async () => {
            const count = await deletion.mutateAsync(undefined)
            toast.success(t('batch.deletedDisabled', { count }))
          },
        }),
    },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button
        loading={fix.isPending || tests.start.isPending || balances.start.isPending}
        icon={<DownOutlined aria-hidden />}
        iconPlacement="end"
      >
        {t('batch.title')}
      </Button>
    </Dropdown>
  )
}
