import type { MediaTask } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Modal } from '../../../ui/kit/index.ts'
import { TextDialog, type ShownText } from '../../../ui/overlay/text-dialog.tsx'
import { useLast } from '../../../lib/use-last.ts'
import { mediaOf } from './media-in.ts'
import { nameOf, rawData, type ShownPart } from './media-task.ts'
import { Songs } from './songs.tsx'
import { Video } from './video.tsx'

interface Props {
  shown: ShownPart | null
  /** What is on the page now: a task that is looked at may move on meanwhile, or leave the page. */
  rows: readonly MediaTask[] | undefined
  onClose(): void
}

/** What opens from a row. */
export function MediaDialogs({ shown, rows, onClose }: Props) {
  const { t } = useTranslation('mediaTasks')
  const last = useLast(shown)
  const task = rows?.find(({ id }) => id === last?.task.id) ?? last?.task
  const name = task ? nameOf(task) : ''
  const { songs, video } = task ? mediaOf(task) : { songs: [], video: null }
  return (
    <>
      <Modal
        title={t('songs.title', { name })}
        open={shown?.part === 'songs'}
        onCancel={onClose}
        width={560}
        footer={null}
        destroyOnHidden
      >
        <Songs songs={songs} />
      </Modal>
      <Modal
        title={t('video.title', { name })}
        open={shown?.part === 'video'}
        onCancel={onClose}
        width={800}
        footer={null}
        destroyOnHidden
      >
        {video !== null && <Video key={video} address={video} label={t('video.title', { name })} />}
      </Modal>
      <TextDialog shown={text()} onClose={onClose} />
    </>
  )

  function text(): ShownText | null {
    if (!task) return null
    if (shown?.part === 'reason') return { title: t('reason'), text: task.fail_reason }
    if (shown?.part === 'data') return { title: t('data.title', { name }), text: rawData(task), isCode: true }
    return null
  }
}
