import { ExportOutlined, VideoCameraOutlined } from '@ant-design/icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownTokenQuery } from '../../../api/own-token.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Button, Spin } from '../../../ui/kit/index.ts'
import styles from '../tasks.module.css'

/** The player of a video, or an error if it cannot be played. */
export function Video({ address, label }: { address: string; label: string }) {
  const { t } = useTranslation('mediaTasks')
  const [isBroken, setBroken] = useState(false)
  const newTab = (
    <Button icon={<ExportOutlined aria-hidden />} href={address} target="_blank" rel="noopener noreferrer">
      {t('newTab')}
    </Button>
  )
  if (isBroken) {
    return (
      <div role="alert">
        <EmptyState
          icon={<VideoCameraOutlined aria-hidden />}
          title={t('video.broken')}
          hint={t('video.brokenHint')}
          action={newTab}
        />
      </div>
    )
  }
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- the speech is not known */}
      <video
        className={styles.video}
        controls
        playsInline
        preload="metadata"
        src={address}
        aria-label={label}
        onError={() => setBroken(true)}
      />
      {!address.startsWith('blob:') && <div className={styles.below}>{newTab}</div>}
    </>
  )
}

/** A video that the provider stores: the gateway returns it to the API tokens of its owner. */
export function StoredVideo({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation('mediaTasks')
  const client = useQueryClient()
  const file = useQuery({
    queryKey: ['video', id],
    queryFn: async ({ signal }) => {
      const token = await client.fetchQuery(ownTokenQuery)
      if (token === null) return 'no-token'
      const response = await fetch(`/v1/videos/${encodeURIComponent(id)}/content`, {
        headers: { Authorization: `Bearer ${token}` },
        credentials: 'omit',
        signal,
      })
      if (!response.ok) throw new Error(`The gateway responded with ${response.status}.`)
      return URL.createObjectURL(await response.blob())
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    meta: { showsErrors: true },
  })
  const address = file.data === 'no-token' ? undefined : file.data
  useEffect(() => {
    if (!address) return undefined
    return () => URL.revokeObjectURL(address)
  }, [address])
  if (address) return <Video address={address} label={label} />
  if (file.isPending) return <Spin className={styles.videoLoading} />
  return (
    <div role="alert">
      <EmptyState
        icon={<VideoCameraOutlined aria-hidden />}
        title={t('video.broken')}
        hint={t(file.data === 'no-token' ? 'video.noToken' : 'video.brokenHint')}
      />
    </div>
  )
}
