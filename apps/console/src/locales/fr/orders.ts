export default {
  title: 'Commandes de recharge',
  purpose:
    'Les recharges en ligne de tous et ce que le service de paiement en a dit. Vérifiez celles qui n’ont pas été créditées.',
  list: 'Commandes de recharge',
  empty: {
    title: 'Aucune commande de recharge pour l’instant',
    hint: 'Quand quelqu’un recharge en ligne, la commande apparaît ici.',
  },
  emptyFiltered: {
    title: 'Aucune commande ne correspond',
    hint: 'Le numéro de commande doit être entier.',
    action: 'Réinitialiser les filtres',
  },
  emptyPage: { title: 'Aucune commande sur cette page', action: 'Aller à la première page' },
  noUserId: {
    title: 'Un ID d’utilisateur est un nombre',
    hint: 'Cherchez l’utilisateur par son nom dans la gestion des utilisateurs pour trouver son ID.',
  },
  open: 'Détails',
  openOf: 'Détails de la commande {{number}}',
  columns: {
    user: 'Utilisateur',
    tradeNo: 'N° de commande',
    method: 'Méthode',
    credit: 'Crédit',
    price: 'Prix',
    status: 'État',
    placed: 'Passée le',
    ending: 'Fin',
    actions: 'Actions',
  },
  ending: { pending: 'Expire', success: 'Créditée', expired: 'Expirée' },
  endingShort: { pending: 'expire', success: 'créditée', expired: 'expirée' },
  filters: {
    label: 'Filtrer les commandes de recharge',
    tradeNo: 'N° de commande entier',
    user: 'ID d’utilisateur',
    status: 'État',
    provider: 'Service de paiement',
  },
  providers: { epay: 'Epay', stripe: 'Stripe' },
  detail: {
    title: 'Commande de recharge #{{id}}',
    order: 'La commande',
    statement: 'Relevé',
    toStatement: 'Voir le relevé',
    reference: 'Numéro chez le service de paiement',
    notFound: 'Cette commande n’existe pas',
    notFoundHint: 'Aucune commande ne porte le numéro {{id}}. Vérifiez l’adresse.',
  },
  recheck: {
    title: 'Interroger le service de paiement',
    hint: 'Si quelqu’un a payé sans être crédité, interrogez directement le service de paiement.',
    hintCredited:
      'La commande est créditée. Vous pouvez encore consulter le service de paiement ; rien n’est crédité deux fois.',
    confirmTitle: 'Interroger {{provider}} sur cette commande ?',
    confirmText:
      'Si elle a été payée, {{amount}} sont aussitôt ajoutés au solde de {{user}}. La réponse est gardée avec la commande.',
    confirmCredited:
      'La commande est déjà créditée et ne le sera pas à nouveau. La réponse est gardée avec la commande.',
    ok: 'Interroger',
    findings: {
      credited: { title: 'Payée, et créditée à l’instant', text: '{{amount}} ont été ajoutés au solde de {{user}}.' },
      repeated: { title: 'Payée, et déjà créditée', text: 'Rien n’a été crédité deux fois ; le solde est inchangé.' },
      unpaid: {
        title: 'Pas encore payée',
        text: '{{provider}} n’a aucun paiement pour cette commande. Elle reste telle quelle ; vous pourrez redemander plus tard.',
      },
      wrong_money: {
        title: 'Non créditée : le montant diffère',
        text: 'Le service de paiement indique un autre montant ou une autre devise que la commande. Vérifiez chez lui.',
      },
      wrong_provider: {
        title: 'Non créditée : autre service de paiement',
        text: 'La commande n’a pas été passée auprès du service qui a répondu.',
      },
      unrelated: {
        title: 'Pas de réponse claire',
        text: 'La réponse du service de paiement ne concerne pas cette commande. Le solde est inchangé ; vérifiez chez lui.',
      },
    },
    failures: {
      unreachable: '{{provider}} est injoignable',
      closed: '{{provider}} n’est pas configuré',
      failed: 'La vérification n’a pas abouti',
    },
  },
  events: {
    title: 'Messages du service de paiement',
    none: 'Le service de paiement n’a encore rien dit de cette commande.',
    kinds: { callback: 'Notification', recheck: 'Vérification' },
    from: { callback: 'Notifié depuis', recheck: 'Demandé depuis' },
    outcomes: {
      credited: 'Créditée',
      repeated: 'Répétée, non créditée à nouveau',
      unpaid: 'Pas encore payée',
      wrong_money: 'Montant différent',
      wrong_provider: 'Autre service de paiement',
    },
  },
  fields: {
    epay: {
      pid: 'ID marchand',
      type: 'Payé avec',
      trade_no: 'Numéro chez la passerelle',
      out_trade_no: 'Notre numéro de commande',
      name: 'Produit',
      money: 'Montant',
      trade_status: 'État de la transaction',
      code: 'Code de réponse',
      status: 'État du paiement',
      sign_type: 'Type de signature',
    },
    stripe: {
      event: 'ID d’événement',
      type: 'Type d’événement',
      session: 'ID de session',
      payment_status: 'État du paiement',
      amount: 'Montant (plus petite unité)',
    },
  },
  meanings: { alipay: 'Alipay', wxpay: 'WeChat Pay', paid: 'payé', unpaid: 'non payé' },
}
