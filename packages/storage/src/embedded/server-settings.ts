/** Fits a machine of 512 MB beside Node; durability is PostgreSQL's full own. */
const settings: Record<string, string> = {
  listen_addresses: '', // reachable through the socket only
  unix_socket_permissions: '0700',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  max_connections: '80',
  shared_buffers: '32MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  effective_cache_size: '128MB',
  min_wal_size: '32MB',
  max_wal_size: '256MB',
  max_worker_processes: '4',
  max_parallel_workers_per_gather: '0',
  autovacuum_max_workers: '2',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
}

/** Since 18 the server keeps helper processes for reads; one machine's worth of data needs none. */
const settingsSince18 = { io_method: 'sync' }

export function serverArguments(version: string, cluster: string, socketDir: string): string[] {
  const all = {
    ...settings,
    ...(Number.parseInt(version, 10) >= 18 ? settingsSince18 : {}),
    unix_socket_directories: socketDir,
  }
  return ['-D', cluster, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}
