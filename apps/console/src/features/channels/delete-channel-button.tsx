import { DeleteOutlined } from '@ant-design/icons'
import type { Channel } from '@tidegate/contract/api'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { toast } from '../../lib/toast.ts'
import { useConfirmDelete } from '../../ui/use-confirm-delete.ts'
import { splitNames } from './channel-types.ts'
import { useDeleteChannel } from './queries.ts'

export function DeleteChannelButton({ channel }: { channel: Pick<Channel, 'id' | 'name' | 'models'> }) {
  const { t } = useTranslation('channels')
  const confirmDelete = useConfirmDelete()
  const deletion = useDeleteChannel()
  const { id, name, models } = channel
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
          text: t('deleteText', { count: splitNames(models).length }),
          onConfirm: async () => {
            await deletion.mutateAsync(id)
            toast.success(t('deleted'))
          },
        })
      }
    />
  )
}
