import { DownOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../lib/toast.ts'
import { Button, Dropdown, type MenuProps } from '../../../ui/kit/index.ts'
import { useConfirmDelete } from '../../../ui/use-confirm-delete.ts'
import { useDeleteDisabled } from '../mutations.ts'
import { DeleteByNameDialog } from './delete-by-name-dialog.tsx'

/** Removes many codes at once, on whatever pages they are. */
export function CleanUpMenu() {
  const { t } = useTranslation('coupons')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteDisabled()
  const [naming, setNaming] = useState(false)

  const askAboutDisabled = () =>
    confirmDelete({
      title: t('cleanUp.disabledTitle'),
      text: t('cleanUp.disabledText'),
      onConfirm: async () => {
        const count = await deletion.mutateAsync()
        if (count === 0) toast.info(t('cleanUp.noneDisabled'))
        else toast.success(t('cleanUp.deletedDisabled', { count }))
      },
    })
  const items: MenuProps['items'] = [
    { key: 'name', danger: true, label: t('cleanUp.byName'), onClick: () => setNaming(true) },
    { key: 'disabled', danger: true, label: t('cleanUp.disabled'), onClick: askAboutDisabled },
  ]
  return (
    <>
      <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
        <Button icon={<DownOutlined aria-hidden />} iconPlacement="end">
          {t('cleanUp.title')}
        </Button>
      </Dropdown>
      <DeleteByNameDialog open={naming} onClose={() => setNaming(false)} />
    </>
  )
}
