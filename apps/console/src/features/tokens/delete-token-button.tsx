import { DeleteOutlined } from '@ant-design/icons'
import type { ApiToken } from '@tidegate/contract/api'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { useConfirmDelete } from '../../ui/use-confirm-delete.ts'
import { useDeleteToken } from './queries.ts'

export function DeleteTokenButton({ token }: { token: Pick<ApiToken, 'id' | 'name'> }) {
  const { t } = useTranslation('tokens')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteToken()
  const { id, name } = token
  return (
    <Button
      size="small"
      type="text"
      danger
      icon={<DeleteOutlined aria-hidden />}
      aria-label={t('deleteOne', { name })}
      onClick={() =>
        confirmDelete({
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          onConfirm: async () => {
            await deletion.mutateAsync(id)
            toast.success(t('deleted'))
          },
        })
      }
    />
  )
}
