import { CustomerServiceOutlined, ExportOutlined } from '@ant-design/icons'
import { useState, type SyntheticEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Song } from '../media-data.ts'
import styles from '../tasks.module.css'

/** The songs of a task. Starting one pauses the others. */
export function Songs({ songs }: { songs: readonly Song[] }) {
  return (
    <ol className={styles.songs} onPlayCapture={pauseOthers}>
      {songs.map((song, index) => (
        <li key={song.audio}>
          <SongPlayer song={song} number={index + 1} />
        </li>
      ))}
    </ol>
  )
}

function SongPlayer({ song, number }: { song: Song; number: number }) {
  const { t } = useTranslation('mediaTasks')
  const [isBroken, setBroken] = useState(false)
  const title = song.title || t('songs.untitled', { number })
  return (
    <article className={styles.song}>
      <Cover address={song.cover} />
      <div className={styles.songText}>
        <strong>{title}</strong>
        <span className="secondary">
          {song.duration !== null && <span className="number">{clock(song.duration)}</span>}
          {song.duration !== null && song.tags && ' · '}
          {song.tags}
        </span>
      </div>
      {isBroken ? (
        <p className={styles.broken} role="alert">
          {t('songs.broken')}{' '}
          <a href={song.audio} target="_blank" rel="noopener noreferrer">
            {t('newTab')} <ExportOutlined aria-hidden />
          </a>
        </p>
      ) : (
        // oxlint-disable-next-line jsx-a11y/media-has-caption -- the lyrics are not known
        <audio
          className={styles.player}
          controls
          preload="metadata"
          src={song.audio}
          aria-label={title}
          onError={() => setBroken(true)}
        />
      )}
    </article>
  )
}

function Cover({ address }: { address: string | null }) {
  const [isBroken, setBroken] = useState(false)
  if (address === null || isBroken) {
    return (
      <span className={styles.cover} aria-hidden>
        <CustomerServiceOutlined aria-hidden />
      </span>
    )
  }
  return (
    <img className={styles.cover} src={address} alt="" referrerPolicy="no-referrer" onError={() => setBroken(true)} />
  )
}

function pauseOthers({ target, currentTarget }: SyntheticEvent<HTMLElement>): void {
  for (const player of currentTarget.querySelectorAll('audio')) if (player !== target) player.pause()
}

/** `2:05`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
