import type { LogEvent } from './log-event.ts'

/** The process, its storage, jobs, mail, payments and sign-in. */
export const OPERATION_EVENTS = {
  'server.notify_failed': {
    level: 'error',
    message: 'service manager not notified',
    meaning: 'systemd waits for a state that it did not get. Field: state.',
    action: 'Check that systemd-notify is installed and that the unit has NotifyAccess=all.',
  },
  'server.listening': {
    level: 'info',
    message: 'listening',
    meaning: 'The process accepts connections. Fields: port, host, roles, version.',
  },
  'server.started_without_database': {
    level: 'warn',
    message: 'started without the database',
    meaning:
      'PostgreSQL does not respond, so the process serves from its snapshot. `resumed` is the earlier process whose credit leases it uses. Fields: snapshotAt, resumed.',
    action: 'Check PostgreSQL.',
  },
  'server.schema_changed': {
    level: 'error',
    message: 'the schema does not match this build',
    meaning: 'PostgreSQL is back with a schema that this build does not know. The process stops. Field: problem.',
    action: 'Start the build that belongs to the schema, or run `tidegate migrate`.',
  },
  'server.setup_pending': {
    level: 'info',
    message: 'setup is pending: open the setup page',
    meaning: 'The site has no super admin yet. The line has the setup code and the address of the page.',
    action: 'Open the address and enter the setup code.',
  },
  'server.stop_requested': {
    level: 'info',
    message: 'stop requested',
    meaning: 'The process received SIGTERM or SIGINT.',
  },
  'server.stopping': {
    level: 'info',
    message: 'stopping',
    meaning: 'The process takes no new connections and waits for open requests. Field: openRequests.',
  },
  'server.stopped': { level: 'info', message: 'stopped', meaning: 'The process has stopped and settled its requests.' },
  'server.limits_not_shared': {
    level: 'warn',
    message: 'several processes run without REDIS_URL: each counts rate limits by itself',
    meaning: 'A process with a single role was started without Redis.',
    action: 'Set REDIS_URL for all processes.',
  },
  'supervisor.started': {
    level: 'info',
    message: 'supervisor started',
    meaning: 'Several processes serve the port. Fields: gateways, processes, heapMb, and the reason for this number.',
  },
  'supervisor.memory_short': {
    level: 'warn',
    message: 'TIDEGATE_PROCESSES needs more memory than the machine has',
    meaning: 'Each gateway needs about 400 MB under load. Field: missingMb.',
    action: 'Lower TIDEGATE_PROCESSES, or add memory.',
  },
  'supervisor.process_ready': {
    level: 'info',
    message: 'process ready',
    meaning: 'A process of the site serves. Fields: slot, pid.',
  },
  'supervisor.process_crashed': {
    level: 'warn',
    message: 'process crashed',
    meaning: 'A process ended unexpectedly. It starts again after `restartInMs`. The others continue.',
    action: 'Read its last lines. Check the memory if `signal` is SIGKILL.',
  },
  'supervisor.process_failing': {
    level: 'error',
    message: 'process crashes repeatedly',
    meaning: 'A process crashed five times within a minute. `/readyz` names it; the others continue.',
    action: 'Read its last lines.',
  },
  'supervisor.reload_started': {
    level: 'info',
    message: 'reload started',
    meaning: 'All processes are replaced one by one, after `tidegate reload` or SIGHUP.',
  },
  'supervisor.reloaded': { level: 'info', message: 'reloaded', meaning: 'All processes were replaced.' },
  'supervisor.reload_failed': {
    level: 'error',
    message: 'reload stopped',
    meaning:
      'A new process ended within ten seconds or was not ready in time, for example because PostgreSQL is away. Processes not replaced yet continue, with their credit leases.',
    action: 'Read the lines of the slot, fix the cause, and reload again.',
  },
  'supervisor.lost': {
    level: 'error',
    message: 'supervisor lost',
    meaning: 'The supervisor was killed. The process ends its requests within a few seconds and exits.',
    action: 'Let a service manager restart Tidegate.',
  },
  'server.console_missing': {
    level: 'warn',
    message: 'the console is not built',
    meaning: 'The files of the console were not found. Only the API is served.',
    action: 'Run `npm run build`, or use the published package or image.',
  },
  'http.request': {
    level: 'info',
    message: 'request',
    meaning: 'One HTTP request has ended.',
  },
  'api.request_failed': {
    level: 'error',
    message: 'API request failed',
    meaning: 'A request to `/api` ended with an unexpected error. The client got 500 with the request id.',
    action: 'Read `err`. Report it if it is not caused by the database.',
  },
  'schema.migrated': {
    level: 'info',
    message: 'schema migrated',
    meaning: 'Migrations were applied at the start. Field: applied.',
  },
  'schema.newer': {
    level: 'warn',
    message: 'a newer build migrated the database',
    meaning:
      'The process serves a schema with migrations that it does not know. They only add to what it uses. Field: unknown.',
    action: 'Complete the upgrade, or go back with all processes. Back up with the newer build.',
  },
  'database.connection_lost': {
    level: 'warn',
    message: 'idle database connection lost',
    meaning: 'PostgreSQL or the network closed an idle connection. The pool opens another one.',
    action: 'Check PostgreSQL if it repeats.',
  },
  'database.connections_short': {
    level: 'warn',
    message: 'PostgreSQL allows fewer connections than the processes may open',
    meaning: 'The pools of all processes have `needed` connections, and PostgreSQL allows `limit`.',
    action: 'Raise `max_connections`, or lower TIDEGATE_DATABASE_POOL or TIDEGATE_PROCESSES.',
  },
  'database.connections_ended': {
    level: 'warn',
    message: 'database connections ended',
    meaning: 'PostgreSQL no longer knew connections of the pool, for example after a failover. They were closed.',
  },
  'database.read_only': {
    level: 'warn',
    message: 'the database takes no writes',
    meaning:
      'A server reported that it is read-only, as a demoted primary does. All connections to it were closed: new ones reach the new primary.',
  },
  'clock.skewed': {
    level: 'warn',
    message: 'clock differs from the database',
    meaning:
      'The clock of this machine is `seconds` ahead of the clock of the database. The time of the database is used.',
    action: 'Turn on time synchronisation (NTP) on both machines.',
  },
  'database.listener_deaf': {
    level: 'warn',
    message: 'change notifications do not arrive',
    meaning:
      'The connection for change notifications is open, but receives none, as behind a connection pooler in transaction mode. Changes are found by polling, within four seconds.',
    action: 'Use a pooler in session mode, or a direct connection.',
  },
  'database.listener_hears': {
    level: 'info',
    message: 'change notifications arrive again',
    meaning: 'Changes are received at once again.',
  },
  'database.listener_lost': {
    level: 'warn',
    message: 'listener connection lost',
    meaning:
      'The connection for change notifications broke. It is opened again; meanwhile changes are found by polling.',
    action: 'Check PostgreSQL if it repeats.',
  },
  'database.notification_failed': {
    level: 'error',
    message: 'change notification failed',
    meaning: 'A change notification could not be processed. The next poll finds the change.',
    action: 'Read `err`.',
  },
  'database.embedded_ready': {
    level: 'info',
    message: 'embedded database ready',
    meaning: 'The PostgreSQL server that comes with the package has started.',
  },
  'database.embedded_stopped': {
    level: 'info',
    message: 'embedded database stopped',
    meaning: 'The PostgreSQL server that comes with the package has stopped.',
  },
  'redis.connected': { level: 'info', message: 'Redis reconnected', meaning: 'Redis responds again.' },
  'redis.unavailable': {
    level: 'warn',
    message: 'Redis unavailable',
    meaning: 'Redis does not respond. Requests are served; each process counts rate limits by itself.',
    action: 'Check Redis and the network.',
  },
  'catalog.reload_failed': {
    level: 'error',
    message: 'catalog reload failed',
    meaning: 'Channels and options could not be loaded. The process serves the last version it has.',
    action: 'Read `err`, check PostgreSQL.',
  },
  'catalog.version_unreadable': {
    level: 'warn',
    message: 'catalog version unreadable',
    meaning: 'The process cannot check whether channels or options changed. It retries.',
    action: 'Check PostgreSQL.',
  },
  'catalog.channel_key_sealed': {
    level: 'error',
    message: 'channel key cannot be decrypted',
    meaning: 'The stored key of a channel does not match the root key. The channel is not used.',
    action: 'Restore the root key of the site, or enter the channel key again.',
  },
  'catalog.option_sealed': {
    level: 'error',
    message: 'option cannot be decrypted',
    meaning: 'A stored secret option does not match the root key. Its default is used.',
    action: 'Restore the root key of the site, or enter the option again.',
  },
  'catalog.option_invalid': {
    level: 'error',
    message: 'stored option is invalid',
    meaning: 'A stored option does not have the form it needs. Its default is used.',
    action: 'Save the option again in the console.',
  },
  'storage.rows_dropped': {
    level: 'warn',
    message: 'rows dropped',
    meaning: 'The write-behind buffer was full while the database did not accept rows. Money is not affected.',
    action: 'Check PostgreSQL.',
  },
  'storage.write_failed': {
    level: 'warn',
    message: 'rows not written yet',
    meaning: 'A batch of log or metric rows was not accepted. It is written again later.',
    action: 'Check PostgreSQL if it repeats.',
  },
  'delivery.mail_attempt_failed': {
    level: 'warn',
    message: 'mail attempt failed',
    meaning: 'The mail server did not accept a mail. It is tried again unless the server rejected it for good.',
    action: 'Check the mail settings if it repeats.',
  },
  'delivery.mail_failed': {
    level: 'error',
    message: 'mail not sent',
    meaning:
      'A mail was given up. `tries` counts the attempts. Mails of the outbox also carry `delivery` and `userId`.',
    action: 'Check the mail settings. Users can retry mails of their delivery log.',
  },
  'delivery.mail_dropped': {
    level: 'error',
    message: 'mail dropped: too many mails wait',
    meaning: 'Too many verification codes or reset links wait to be sent.',
    action: 'Check the mail settings and the mail server.',
  },
  'delivery.mails_unsent_at_stop': {
    level: 'error',
    message: 'mails not sent before the process stopped',
    meaning: 'The process stopped while verification codes or reset links were waiting. Users can request new ones.',
  },
  'delivery.push_rejected': {
    level: 'warn',
    message: 'push service rejected the site',
    meaning:
      'A push service did not accept the signature of this site (`status` 401 or 403). Users of `host` get no pushes.',
    action: 'Set `ServerAddress` to the https address of the site, and check the clock of the server.',
  },
  'delivery.attempt_error': {
    level: 'error',
    message: 'delivery attempt failed with an internal error',
    meaning:
      'A mail, webhook or push could not be prepared, for example because a secret could not be decrypted. It is tried again.',
  },
  'delivery.state_not_stored': {
    level: 'error',
    message: 'delivery state not stored',
    meaning: 'The result of a delivery was not stored. The mail, webhook or push may be sent twice.',
  },
  'notification.low_balance_failed': {
    level: 'error',
    message: 'low balance warning failed',
    meaning: 'A user was not warned of a low balance. The next round tries again.',
  },
  'notification.low_balance_sent': {
    level: 'info',
    message: 'low balance warnings sent',
    meaning: 'Users whose balance fell below their threshold were notified.',
  },
  'message.unread_count_failed': {
    level: 'warn',
    message: 'unread count failed',
    meaning: 'The number of unread messages could not be read.',
  },
  'payment.reversed': {
    level: 'warn',
    message: 'payment reversal applied',
    meaning: 'A payment was refunded or disputed, and its amount was taken from the balance.',
    action: 'See the payment order in the console.',
  },
  'payment.event_rejected': {
    level: 'warn',
    message: 'payment event rejected',
    meaning: 'A payment callback was not accepted: wrong signature, unknown order or wrong amount.',
    action: 'Check the payment settings if the payments are real.',
  },
  'payment.provider_call_failed': {
    level: 'warn',
    message: 'payment provider call failed',
    meaning: 'A request to the payment provider failed.',
  },
  'payment.permission_missing': {
    level: 'warn',
    message: 'payment key lacks a permission',
    meaning: 'The restricted key of the payment provider may not read what is needed.',
    action: 'Grant the permission that `resource` names.',
  },
  'payment.debts_collected': {
    level: 'info',
    message: 'payment debts collected',
    meaning: 'Amounts of reversed payments were collected from balances.',
  },
  'registration.default_token_failed': {
    level: 'error',
    message: 'default token not created',
    meaning: 'A new user did not get the default API token.',
  },
  'oauth.provider_failed': {
    level: 'error',
    message: 'sign-in provider failed',
    meaning: 'A request to a sign-in provider failed.',
    action: 'Check the settings of the provider and whether its address is reachable.',
  },
  'oauth.email_unavailable': {
    level: 'warn',
    message: 'sign-in provider returned no email address',
    meaning: 'The addresses of a user could not be read. The account is created without one.',
  },
  'turnstile.unavailable': {
    level: 'error',
    message: 'Turnstile verification failed',
    meaning: 'Cloudflare did not respond. The request was rejected.',
    action: 'Check the connection to challenges.cloudflare.com and the secret.',
  },
  'audit.auth_failure_lost': {
    level: 'error',
    message: 'auth failure was not recorded',
    meaning: 'A failed login or a forbidden request is missing in the audit log.',
    action: 'Check PostgreSQL.',
  },
  'audit.forward_failed': {
    level: 'warn',
    message: 'audit forwarding failed',
    meaning: 'Audit events were not delivered to a destination. They are sent again.',
    action: 'Check the destination.',
  },
  'audit.forward_recovered': {
    level: 'info',
    message: 'audit forwarding recovered',
    meaning: 'Audit events are delivered again.',
  },
  'audit.digest': {
    level: 'info',
    message: 'audit digest signed',
    meaning: 'The signed digest of a day of audit events. Keep these lines outside the database.',
  },
  'ledger.digest': {
    level: 'info',
    message: 'ledger digest signed',
    meaning: 'The signed digest of a day of the ledger. Keep these lines outside the database.',
  },
  'job.failed': {
    level: 'error',
    message: 'job failed',
    meaning: 'A background job ended with an error. It runs again at its next time.',
    action: 'Read `err` and `job`.',
  },
  'job.lease_release_failed': {
    level: 'warn',
    message: 'job lease release failed',
    meaning: 'The lease of a job was not released. Another process takes it over when it expires.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>
