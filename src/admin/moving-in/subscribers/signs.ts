/** What a file may say about a person, from the most cautious to the least. */
export const signs = ["complained", "bounced", "unsubscribed", "pending"] as const;
export type Sign = (typeof signs)[number];

/** “Don’t want” alone is no sign: “Don’t want to miss an issue!”. */
const notWanting = ["not", "doesn t", "don t", "doesnt", "dont"]
  .flatMap((not) =>
    "email*, e mail*, mail*, letter*, newsletter*, any*, more, your, our, it, this, these, us, them, contact*, further, spam, update*, info*, advert*, marketing, communication*, subscri*, the list, the email*, the e mail*, the mail*, the letter*, the newsletter*, to be, to get, to receive, to hear, to have, to read, to stay, to continue, to subscribe"
      .split(", ")
      .map((what) => `${not} want ${what}`),
  )
  .concat("not wanted", "=do not want", "=does not want", "=don t want", "=doesn t want")
  .join(", ");

/**
 * The words of each sign, one line a language: English, German, French, Spanish, Italian, Portuguese, Dutch, and in fewer
 * words Swedish, Danish and Norwegian, Polish, Czech, Russian, Ukrainian, Finnish, Hungarian, Romanian, Turkish, Greek, Hebrew,
 * Arabic, Japanese, Chinese and Korean. To add a language, add a line. Small letters without accents; commas between phrases; an asterisk takes any
 * ending. A phrase counts wherever it occurs, in a header and in a cell. The mark before it narrows that:
 *
 * - `=` in a cell only as the whole of it, or as one entry of a list: “Baja California” is no “baja”;
 * - `~` only so, and only in a column that holds a status: a name or a tag may be “Paused”;
 * - `#` only in a header;
 * - `^` only as the whole of a header.
 */
const words: Record<Sign, string[]> = {
  complained: [
    "complain, complains, complained, complaining, complaint*, complainant*, complainer*, #complain*, reported spam, marked as spam, spam complaint, spam report*, reported as spam, marked spam, spamtrap*, spam trap*, =spam, =spammy, =abuse, =junk, #spam, #abuse, #fbl, #feedback loop",
    "beschwer*, als spam gemeldet, als spam markiert, spambeschwerde*",
    "plainte, plaintes, signale comme spam, =signale, =plaint",
    "queja, quejas, quejado, quejo, #quej*, marcado como spam, =denunciado, =denuncia",
    "segnalato come spam, =reclamo, =reclami, #reclam*, =segnalato",
    "reclamacao, reclamacoes, queixa*, marcado como spam, =denunciado",
    "spamklacht*, klacht*, als spam gemarkeerd",
  ],
  bounced: [
    "bounced, hard bounce*, soft bounce*, hardbounce*, softbounce*, undeliver*, not deliverable, non deliverable, delivery failed, invalid email, invalid address, mailbox not found, mailbox full, over quota, =cleaned, =bounce, =bounces, =bouncing, =invalid, ~malformed, ~unreachable, ~dead, ~temp hold, ~quarantined, ~bad, =do not deliver, #bounc*, isemailbounced*, emailbounced*, hasbounced*, isbounced*, #clean, #cleaned, #cleaning, #delivery failure*, #on hold, #quarantin*",
    "unzustellbar*, nicht zustellbar*, nicht erreichbar, rucklaufer, gebounct, gebounced, =ungultig, =ungultige adresse, =fehlerhaft, #ungultig*",
    "=rebond, =rebonds, =rebondi, hard rebond*, soft rebond*, a rebondi, rebondit, en rebond, rebond email*, rebond e mail*, rebond dur, rebond mou, rebond definiti*, rebond permanent*, rebond temporaire*, #rebond*, non distribu*, non delivr*, adresse invalide, npai, =invalide, =rejete, =rejetee, #invalide*",
    "rebotad*, rebote, rebotes, no entregad*, no entregable, direccion invalida, =invalido, =invalida, =no valido, =no valida",
    "rimbalz*, non recapita*, non consegna*, indirizzo non valido, =non valido, =non valida, =respinto, =respinta",
    "devolvid*, nao entreg*, endereco invalido, =invalido, =invalida, =rejeitado, =rejeitada",
    "studsad*, studsat, kan inte levereras, odoreczon*, niedoreczon*, niedostarcz*, nedoruc*, =neplatny, недостав*, =недействительный",
    "gebounced, gebounct, onbestelbaar, niet bezorgd, onbezorgbaar, ongeldig adres, =ongeldig, =teruggestuurd",
  ],
  unsubscribed: [
    "unsub, unsubs, unsubb*, unsube*, unsubc*, unsubsc*, unsubsr*, #unsub*, opt out*, opts out, opted out, optout*, optedout, opting out, do not email*, do not e mail*, do not mail*, do not send*, do not contact*, do not market*, do not disturb*, remove me, take me off, taken off the, taken off list*, taken off our, taken off my, taken off this, taken off mailing*, taken off newsletter*, taken off email*, =taken off in, =taken off on, be taken off, was taken off, been taken off, =taken off, robinsonlist*, robinson list, robinson liste, lista robinson, liste robinson, ~robinson, #robinson*, dont email*, don t email*, don t send*, don t contact*, no email*, no e mail*, no mail*, nomail, no more email*, no further email*, remove from*, remove me, please remove, to be removed, stop email*, stop sending*, no newsletter*, no marketing, suppress, suppressed, suppression*, #suppress*, blocklist*, block list*, blacklist, blacklists, blacklisted*, blacklisting, #blacklist*, black list, black lists, black listed, denylist*, deny list, non subscri*, nonsubscri*, not subscri*, never subscri*, no longer subscri*, not opted in, never opted in, not consented, no consent, consent withdrawn, consent revoked, refused, email disabled, emails disabled, email off, emails off, former subscriber*, =former patron, =former patrons, =former member, =former members, declined patron*, deleted patron*, =not interested, #not interested, excluded from campaigns, is excluded, cancelled, canceled, =cancel, =cancellation, =blocked, =email blocked, =opt outs, =dnc, =dne, =dnd, =gone, =withdrawn, =revoked, =rejected, =declined, =unwanted, =non marketing, =non marketing contact, =stop, =deceased, =churned, ~inactive, ~not active, ~removed, ~disabled, ~archived, ~deleted, ~paused, ~expired, ~lapsed, ~former, ~ended, ~stopped, ~dropped, ~quit, ~left, ~out, ~off, ~banned, ~deactivated, ~suspended, ~fraud, ~refunded, ~unengaged, ~denied, ~none, #cancel*, #block*, #inactive, #disabled, #deleted*, #archived, #remove, #removed*, #removal, #gone, #dnd, #deactivat*, #stop, #stopped, #stop time, #revoked, #withdr*, #left at, #left on, #date left, #has left, #leave date, #leaving*, #refus*, #banned, #suspended, #dnc, #dne, #exclud*, #left list, #objection*, #objected*, #right to object, #erasure*, #forgotten, #exit date, #exited*, #leave on, #lapsed*, #churned*, #quit*, sign off, sign offs, signed off, signoff*, signed out, wants out, wants off, no longer want*, delete me, please delete, =forget me, =forget me please, please forget me, right to be forgotten, right to erasure, erasure request*, deletion request*, gdpr deletion*, gdpr erasure*, data deletion*, #resigned, #departed, #terminated, ^left, ^out, ^exit, ^quit, #unwanted*, #no contact, hasoptedout*, emailoptout*, emailoptedout*, isunsub*, isoptedout*, isoptout*, donotemail*, donotcontact*, donotmail*, donotsend*, dontemail*, #isblocked, #isblacklisted, #isdeleted, #isinactive, #isdisabled",
    notWanting,
    "abgemeldet*, abmeld*, abbestell*, ausgetragen*, austragen, austragungswunsch, austragung aus, =austrag, =austragung, #austrag*, nicht angemeldet, nicht abonniert, nicht eingetragen, nicht kontaktieren, nicht anschreiben, nicht einverstanden, nicht mailen, nicht senden, nicht mehr, mochte nicht mehr, will nicht mehr, nicht mehr erwunscht, nicht mehr gewunscht, nicht mehr aktiv, nicht mehr dabei, nicht mehr abonniert, keine e mail*, keine email*, keine mail*, keine werbung, kein newsletter, keine newsletter, keine einwilligung, keine zustimmung, nicht zugestimmt, nicht eingewilligt, gesperrt*, sperrliste, sperrvermerk, werbesperre*, kontaktsperre*, mailsperre*, emailsperre*, versandsperre*, mailingsperre*, newslettersperre*, kontaktverbot*, werbeverbot*, mochte keine*, will keine*, bitte loschen, bitte entfernen, loschantrag*, loschung beantragt, dsgvo loschung*, recht auf vergessen*, gekundigt*, kundigung*, storniert*, widerruf*, widersproch*, widerspruch*, werbewiderspruch, abgelehnt, verweigert, =verstorben, =ausgetreten, =geblockt, =blockiert, ~inaktiv, ~nicht aktiv, ~deaktiviert, ~geloscht, ~archiviert, ~entfernt, ~pausiert, ~beendet, ~ausgeschieden, ~ehemalig, ~abgelaufen, #sperr*, #blockiert, #geblockt, #inaktiv, #deaktiviert, #geloscht*, #loschdatum, #entfernt, #austritt*, #ausgetreten, #stornier*",
    "desabonn*, desinscri*, desabo, ne pas contacter, ne pas envoyer, ne pas ecrire, ne plus, ne souhaite pas, ne souhaite plus, ne veut pas, ne veut plus, demande de suppression*, demande d effacement*, droit a l oubli, a supprimer, pas d e mail*, pas d email*, pas de newsletter, non abonne*, non inscrit*, pas abonne*, pas inscrit*, non consenti*, sans consentement, liste noire, liste rouge, liste d exclusion, resilie, resiliee, resilies, resiliees, resiliation*, resilier, annule, annulee, =refuse, =refusee, =refuses, a refuse, a refusee, refuse la newsletter, refuse les, refuse de recevoir, refuse tout, refuse toute, bloque, bloquee, =bloques, =decede, =decedee, ~inactif, ~inactive, ~supprime, ~supprimee, ~archive, ~archivee, ~desactive, ~desactivee, ~expire, ~ancien, #annul*, #bloqu*, #refus*, #inactif, #supprim*, #desactiv*, #exclu, #exclue, #exclusion, #opposition, #date de sortie, #date de depart, #droit d opposition, #effacement*",
    "no molestar, no escribir, derecho de oposicion, #oposicion, dado de baja, dada de baja, de baja, baja voluntaria, baja definitiva, causa baja, solicita baja, no volver a, no quiere*, solicita eliminacion, derecho de supresion, derecho al olvido, desuscri*, desuscrit*, no suscrit*, no suscript*, no inscrit*, no contactar, no enviar, no desea*, no acepta*, sin consentimiento, lista negra, cancelado, cancelada, bloqueado, bloqueada, rechazado, rechazada, =fallecido, =fallecida, =baja, =bajas, ~inactivo, ~inactiva, ~eliminado, ~eliminada, ~archivado, ~desactivado, ~desactivada, ~anulado, ~anulada, ~excluido, ~expirado, #baja, #bajas, #fecha baja, #cancelac*, #bloque*, #rechaz*, #eliminad*, #inactiv*, #desactiv*, #suprim*, #anulad*, #fecha de salida, #fecha salida",
    "non disturbare, non scrivere, #opposizione, disiscri*, non iscritt*, non contattare, non inviare, non desidera*, non vuole*, richiesta di cancellazione, diritto all oblio, non accetta*, senza consenso, consenso negato, consenso revocato, lista nera, cancellato, cancellata, annullato, annullata, bloccato, bloccata, rifiutato, rifiutata, revocato, revocata, =deceduto, =deceduta, =disdetta, ~inattivo, ~inattiva, ~non attivo, ~non attiva, ~eliminato, ~eliminata, ~archiviato, ~disattivato, ~disattivata, ~rimosso, ~rimossa, ~scaduto, #cancella*, #bloccat*, #rifiut*, #revoc*, #inattiv*, #disattiv*, #eliminat*, #rimoss*, #disdett*, #data di uscita, #data uscita",
    "nao perturbe, nao incomodar, #oposicao, descadastr*, desinscri*, desinscrev*, saiu da lista, nao mais, dessubscri*, cancelou, nao inscrit*, nao assin*, nao subscri*, nao contactar, nao contatar, nao enviar, nao deseja*, nao quer*, direito ao esquecimento, nao aceit*, sem consentimento, lista negra, cancelado, cancelada, bloqueado, bloqueada, recusado, recusada, =falecido, =falecida, ~inativo, ~inativa, ~removido, ~removida, ~excluido, ~excluida, ~arquivado, ~desativado, ~desativada, ~eliminado, ~expirado, #cancelament*, #bloque*, #recus*, #inativ*, #removid*, #excluid*, #desativ*, #eliminad*, #data de saida, #data saida",
    "niet storen, niet schrijven, #bezwaar*, uitgeschreven, uitschrij*, afgemeld*, afmeld*, opgezegd*, opzegg*, niet ingeschreven, niet geabonneerd, niet aangemeld, niet mailen, niet meer, niet contacteren, niet benaderen, geen e mail*, geen email*, geen mail*, geen nieuwsbrief, geen toestemming, zwarte lijst, wil geen*, recht op vergetelheid, verzoek tot verwijdering, geblokkeerd, geannuleerd, geweigerd, toestemming ingetrokken, =overleden, ~inactief, ~niet actief, ~verwijderd, ~gearchiveerd, ~gedeactiveerd, ~gestopt, ~verlopen, ~gepauzeerd, #geblokkeer*, #geannuleer*, #geweiger*, #weiger*, #inactief, #verwijder*, #gestopt, #ingetrokken, #uittred*, #uitgetreden",
    "avregistrerad*, avprenumerer*, avslutad, avanmald, sparrad, skicka inte, kontakta inte, ~inaktiv, ~borttagen",
    "afmeldt*, frameldt*, avmeldt*, sagt op, sperret, blokeret, blokkert, ikke kontakt*, ikke send*, ~slettet",
    "wypisan*, wypisal*, zrezygnowa*, rezygnacja, anulowan*, zablokowan*, nie wysylac, nie kontaktowac, ~nieaktywny, ~nieaktywna, ~usuniety, ~usunieta",
    "odhlasen*, odhlaseno, zruseno, zrusen*, blokovan*, nezasilat, nekontaktovat, ~neaktivni, ~smazany, ~smazana",
    "отписан*, отписал*, отказал*, отказ*, заблокирован*, не писать, не беспокоить, ~неактивен, ~неактивна, ~удален, ~удалена",
    "відписа*, скасова*, скасував, відмов*, заблокова*, не писати, не турбувати, не надсилати, ~неактивний, ~неактивна, ~видалений, ~видалена",
    "peruttu*, perunut, peruutettu, estetty*, kieltanyt*, ei lahetet*, ei postia, ei markkinoint*, irtisanottu*, ~poistunut, ~poistettu, ~passiivinen, #markkinointikielto, #suoramarkkinointikielto",
    "leiratkoz*, lemondt*, lemondot*, lemondas*, letilt*, nem kert*, nem kuldh*, visszavont*, ~torolt, ~inaktiv, ~megszunt",
    "dezabon*, renuntat, renunta, anulat*, blocat*, nu dorest*, nu trimite*, retras, ~inactiv, ~sters, ~stearsa",
    "abonelikten c*, abonelik iptal*, abonelikten ayr*, iptal*, engellen*, istemiyor*, gondermeyin, ~pasif, ~silindi, ~ayrıldı",
    "διαγραμμεν*, διαγραφη*, διεγραφη*, απεγγραφ*, απεγγεγραμμεν*, ακυρω*, αποκλεισ*, ~ανενεργος, ~ανενεργη",
    "配信停止, 購読解除, 登録解除, 解除済, 退会, 配信拒否, 受信拒否, 配信不可, 配信不要, =解除, =停止, =無効",
    "退订, 退訂, 取消订阅, 取消訂閱, 拒收, 黑名单, 黑名單, 不再接收, =已取消, =屏蔽",
    "הוסר*, הסיר את עצמו, ביטל*, בוטל*, לא לשלוח, לא מעוניין, חסום, الغى الاشتراك, الغاء الاشتراك, ملغي, ملغى, محظور, غير مشترك, لا ترسل*",
    "수신거부*, 수신 거부*, 구독취소*, 구독 취소*, 구독해지*, 구독 해지*, 탈퇴*, =해지",
  ],
  pending: [
    "~pending, ~pending confirmation, ~unconfirmed, ~not confirmed, ~never confirmed, ~unverified, ~not verified, ~validating, ~unactivated, ~not activated, ~needs attention, ~awaiting confirmation, ~confirmation pending, ~waiting, ~invited, ~not yet confirmed, ~requested, #pending, #opt in pending, #unconfirmed, #unverified, #awaiting confirmation",
    "~ausstehend, ~unbestatigt, ~nicht bestatigt, ~bestatigung ausstehend, ~wartend, ~offen, ~nicht verifiziert",
    "~en attente, ~en attente de confirmation, ~non confirme, ~non confirmee, ~non verifie",
    "~pendiente, ~sin confirmar, ~no confirmado, ~no confirmada, ~pendiente de confirmacion",
    "~in attesa, ~in attesa di conferma, ~non confermato, ~non confermata",
    "~pendente, ~nao confirmado, ~nao confirmada, ~aguardando, ~aguardando confirmacao",
    "~in afwachting, ~onbevestigd, ~niet bevestigd, ~wachtend, ~wacht op bevestiging",
  ],
};

/**
 * Phrases of the table that are also about other matters: “Head of complaints”, “No Marketing Ltd”, “Please remove shoes”.
 * They count alone, or in a note that mentions letters. The same languages.
 */
const vague = listOf([
  "complain, complains, complained, complaining, complaint*, complainant*, complainer*, bounced, undeliver*, not deliverable, non deliverable, suppress, suppressed, suppression*, blocklist*, block list*, blacklist, blacklists, blacklisted*, blacklisting, black list, black lists, black listed, denylist*, deny list, cancelled, canceled, refused, is excluded, please remove, please delete, remove from*, to be removed, no marketing, no mail*, do not disturb*, do not send*, don t send*, sign off, sign offs, signed off, signoff*, signed out, deletion request*",
  "beschwer*, nicht zustellbar*, nicht erreichbar, gesperrt*, sperrliste, gekundigt*, kundigung*, storniert*, widerspruch*, abgelehnt, verweigert, nicht mehr, keine werbung, nicht senden",
  "plainte, plaintes, non distribu*, non delivr*, ne plus, ne veut pas, ne veut plus, ne souhaite pas, ne souhaite plus, a supprimer, liste noire, liste rouge, resilie, resiliee, resilies, resiliees, resiliation*, resilier, annule, annulee, a refuse, a refusee, refuse les, refuse tout, refuse toute, bloque, bloquee",
  "queja, quejas, quejado, quejo, no entregad*, no entregable, no molestar, no quiere*, no desea*, no acepta*, no volver a, no enviar, de baja, cancelado, cancelada, bloqueado, bloqueada, rechazado, rechazada, lista negra",
  "non disturbare, non recapita*, non consegna*, non desidera*, non vuole*, non accetta*, non inviare, cancellato, cancellata, annullato, annullata, bloccato, bloccata, rifiutato, rifiutata, revocato, revocata, lista nera",
  "devolvid*, nao entreg*, queixa*, nao perturbe, nao incomodar, nao mais, nao deseja*, nao quer*, nao aceit*, nao enviar, cancelou, cancelado, cancelada, bloqueado, bloqueada, recusado, recusada, lista negra",
  "klacht*, niet bezorgd, niet storen, niet meer, wil geen*, opgezegd*, opzegg*, geblokkeerd, geannuleerd, geweigerd, zwarte lijst",
]);

/** Words of the table that are also names of people, companies and places, even alone. */
const alsoNames = listOf([
  "junk, stop, gone, bounce, spam, abuse, baja, bajas, plaint, rebond, refuse, austrag, robinson",
]);

/** Words that a note about letters has. An asterisk takes any ending. The same languages. */
const ofContact = wordsOf([
  "e mails?, mails?, emails?, mailing*, mailer*, newsletter*, letters?, lists?, subscri*, market*, advert*, promo*, spam, contact*, consent*, gdpr, opt, us, me, database, data, account, membership, members?, users?, persons?, everything, anything, receiv*",
  "verteiler*, rundbrief*, liste, abo, abos, abonn*, werb*, kontakt*, post, brief*, nachricht*, info*, einwillig*, zustimm*, dsgvo, schreib*, anschreib*, erhalt*, empfang*, bekomm*, interess*, daten*, mitglied*, nutzer, nichts",
  "courriel*, courrier*, lettres?, infolettre*, message*, recev*, rgpd, inscri*, adhesion, rien, compte, ecrire, contacter",
  "correo*, boletin*, mensaje*, recib*, suscri*, nada, publicidad, escribir",
  "posta, bollettino, messagg*, ricev*, iscri*, niente, nulla, pubblicita, scrivere",
  "boletim, mensage*, receb*, publicidade, assin*, cadastr*, escrever",
  "nieuwsbrief*, lijst*, bericht*, reclame, ontvang*, toestemming*, avg, niets, schrijven",
]);

/** A request, which is about letters unless the note names something else. The same languages. */
const requested = wordsOf([
  "requested, asked, asks, wants, wishes, gewunscht, erwunscht, beantragt, bittet, mochte, will, demande*, souhaite, solicit*, pide, pidio, richiest*, chiede, chiesto, pediu, quer, verzocht, gevraagd, wil",
]);

/**
 * What people cancel, refuse or remove, posts in a company, and places: a note about them says nothing about letters. The
 * same languages.
 */
const ofOtherMatters = wordsOf([
  "flights?, trips?, travels?, meetings?, talks?, events?, orders?, appointments?, bookings?, reservations?, lunch, dinner, concerts?, shows?, workshops?, webinars?, courses?, class, classes, interviews?, tickets?, visits?, holidays?, hotel, gigs?, shoes?, boots?, coats?, hats?, covers?, labels?, lids?, stickers?, plates?, furniture, weather, coffee, food, parking, noise, traffic, neighbou?rs?, dessert, offers?, prize, award, job",
  "(head|director|manager|chief|vp|lead|officer|team|desk|department|office|board|commission|handling|procedure|specialist|advisor|counsel) (of |for |in |and )*(\\w+ )?(complaints?|suppression|blacklists?), complaints? (manager|handling|handler|department|officer|team|desk|office|board|commission|procedure|director|specialist|lead|service|coordinator|commissioner)s?, (deals?|dealing|works?|working) (with|in|on) complaints?",
  "flug, fluge, reise, buchung, termin, treffen, bestellung, wohnung, job, stelle, arbeitsvertrag, mietvertrag, vertrag, versicherung, hotel, tisch, konzert, karten, strasse, weg, brucke, schuhe, vortrag, lesung, kaffee, wetter, larm, nicht mehr (in|im|bei|beim|am|an|auf|als|so|ganz|verheiratet|berufstatig|angestellt|tatig|hier|zuhause), beschwerde(management|manager|stelle|abteilung|beauftragt|kommission|ausschuss|wesen)*, beschwerdefrei*, beschwerlich*, (leit\\w+|abteilung|referent\\w*|beauftragte?) (fur |des |der )*beschwerden?",
  "vols?, voyage, rendez vous, reunion, commande, reservation, concert, billets?, bail, contrat, cours, atelier, hotel, chaussures, route, dessert, prix, poste, cafe, (responsable|service|chef\\w*|direct\\w+|bureau|commission|gestion\\w*) (des|de|du|aux) (plaintes|refus)",
  "vuelos?, viajes?, reunion, cita, pedidos?, reservas?, concierto, entradas?, hotel, curso, taller, boda, zapatos, calle, premio, oferta, cafe, tarjetas?, (jefe|jefa|responsable|departamento|atencion|oficina|direct\\w+|gestion|libro) (de |a )+quejas, de baja (medica|laboral|maternal|paternal|por enfermedad)",
  "volo, voli, viaggio, riunione, appuntamento, ordine, prenotazione, concerto, bigliett*, corso, albergo, scarpe, strada, premio, offerta, caffe, carte",
  "voos?, viagem, viagens, reuniao, consulta, encomenda, pedido, reservas?, concerto, bilhetes?, curso, hotel, sapatos, premio, oferta, cafe, cartoes, nao mais (em|na|no|nas|nos), (chef\\w*|responsavel|departamento|gest\\w+|diret\\w+|livro) (de |das )+queixas",
  "vlucht, reis, afspraak, vergadering, bestelling, reservering, boeking, concert, huur, baan, contract, hotel, schoenen, straat, koffie, prijs, niet meer (in|bij|op|werkzaam|getrouwd|te|woonachtig|hier), klachten(afdeling|commissie|manager|behandel|functionaris|coordinator|loket)*, (hoofd|manager|medewerker|afdeling|behandelaar) (van |de )*klachten",
]);

/** A pattern of whole words in normalised text; a word may be a regular expression. */
function wordsOf(lines: string[]) {
  const any = lines.flatMap((line) => line.split(", ")).map((word) => folded(word).replace(/\*$/, "\\w*"));
  return new RegExp(`(?:^| )(?:${any.join("|")})(?: |$)`);
}

/** Words beside a phrase that leave it alone: “Please remove”, “Bounced 2021-03-04”. */
const beside = new Set(
  "please pls bitte merci danke thanks thank you gracias grazie obrigado dank prego s il vous plait por favor alstublieft since seit depuis desde dal sinds on at am le el il em op by via per the is was wurde est es era jan feb mar apr may jun jul aug sep oct nov dec".split(
    " ",
  ),
);

/** In a status column: the person gets letters. The same languages. */
const staying = listOf([
  "active, active patron, subscribed, subscriber, sub, confirmed, verified, enabled, opted in, opt in, optin, registered, consented, granted, allowed, accepted, agreed, current, marketing contact, member, normal, implicit, explicit, express, implied, single, double, single opt in, double opt in, confirmed opt in, resubscribed, given, permitted, valid, deliverable, good",
  "aktiv, mitglied, erteilt, gultig, zustellbar, angemeldet, abonniert, bestatigt, eingetragen, abonnent, zugestimmt, eingewilligt, einverstanden",
  "actif, active, membre, abonne, abonnee, inscrit, inscrite, confirme, confirmee, accepte, consenti",
  "activo, activa, miembro, socio, socia, suscrito, suscrita, suscriptor, confirmado, confirmada, alta, inscrito, inscrita, aceptado",
  "attivo, attiva, membro, iscritto, iscritta, confermato, confermata, accettato",
  "ativo, ativa, membro, inscrito, inscrita, assinante, subscrito, subscrita, confirmado, confirmada, aceito, aceite",
  "actief, lid, ingeschreven, geabonneerd, abonnee, aangemeld, bevestigd, akkoord",
  "prenumerant, registrerad, tilmeldt, pameldt, aktywny, aktywna, zapisany, zapisana, aktivni, prihlasen, prihlasena, подписан, подписана, активен, активна",
  "підписаний, підписана, активний, активна, tilattu, tilannut, tilaaja, aktiivinen, feliratkozott, feliratkozva, abonat, abonata, activ, abone, aktif, ενεργος, ενεργη, εγγεγραμμενος, εγγεγραμμενη",
  "פעיל, פעילה, רשום, מנוי, مشترك, نشط, 配信中, 購読中, 登録済, 有効, 已订阅, 已訂閱, 正常, 구독중, 구독 중",
]);

/** Of members: a club's members did not all agree to letters. The same languages. */
const ofMembership = wordsOf([
  "members?, membership, \\w*mitglied*, membres?, adherente?s?, miembros?, socios?, socias?, soci, membr[oi]s?, lid, leden, erelid, ereleden",
]);

/** Words that limit a yes: “active until 2020”, “yes, but not now”. The same languages. */
const limiting = wordsOf([
  "until, till, til, before, but, ended, formerly, bis, aber, vor, ehemals, fruher, jusqu, jusque, avant, hasta, antes, fino, ate, prima, tot, maar, voor, vroeger",
]);

/** The same, for words about payment: they only decide in a status column. */
const plans = listOf([
  "free, paid, unpaid, past due, comped, comp, complimentary, regular, premium, gift, gifted, trial, in trial, trialed, trialing, churning, guest, lifetime, founding, founder, not renewing, non renewing, author, upcoming",
]);

/** How often a person wants letters: a yes in a column of that. The same languages. */
const often = listOf([
  "weekly, daily, monthly, biweekly, fortnightly, quarterly, instant, instantly, immediately, digest, wochentlich, taglich, monatlich, hebdomadaire, quotidien, mensuel, semanal, diario, mensual, settimanale, giornaliero, mensile, mensal, wekelijks, dagelijks, maandelijks",
  "all, everything, always, alles, immer, tout, toujours, todo, siempre, tutto, sempre, tudo, altijd",
]);

/** Words for yes in a yes-or-no column. The same languages, and what spreadsheets and databases write. */
const yes = listOf([
  "yes, true, y, t, x, on, ok, checked, ticked, selected",
  "ja, wahr, j, an",
  "oui, vrai, o",
  "si, verdadero, s",
  "vero",
  "sim, verdadeiro",
  "waar, aan",
  "ja, tak, ano, да, так, kylla, igen, da, evet, ναι, はい, 是, 예, 네",
]);
/** Words for no that may also mean that there is no value. */
const none = listOf([
  "none, null, nil, nan, n a, na, undefined, empty",
  "kein, keine, aucun, aucune, ninguno, ninguna, nessuno, nessuna, nenhum, nenhuma, geen",
]);
const no = listOf([
  ...none,
  "no, false, n, f, off, never, not, disagree, disagreed, unchecked, unticked, unselected, deselected",
  "nein, falsch, nie, niemals, aus",
  "non, faux, jamais",
  "falso, nunca",
  "mai",
  "nao",
  "nee, onwaar, nooit, niet, uit",
  "nej, nei, aldrig, nie, ne, нет, ні, ei, nem, nu, hayır, οχι, いいえ, 否, 아니요, 아니오",
]);
/** What a person agreed to receive; as the reason of a person who left, it is none of these. */
const nothing = listOf(["nothing, nichts, rien, nada, niente, niets, ingenting, intet"]);
/** Words for a status that the service itself does not know. */
const unknown = listOf([
  "unknown, not set, unspecified, not specified, not given, no permissions set, not available, unclear, unset",
  "unbekannt, nicht angegeben, inconnu, non renseigne, desconocido, sconosciuto, desconhecido, onbekend",
]);

/** Before a word, they negate it: “never bounced”. */
const turning = new Set(
  "not never no without nicht nie ohne pas jamais sans non nunca sin mai senza nao sem niet nooit zonder".split(
    " ",
  ),
);

/**
 * Headers of columns in which a no is a sign: "accepts_marketing". The same languages. `confirming` ones are about the
 * confirmation of the address: a no there means pending.
 */
const agreeing = phrasesOf([
  "subscribed, subscribe, send, send email*, send mail*, subscription, is subscriber, opt in*, optin*, opted in, opted, consent*, accept, accepts, accepted, permission*, permitted, agree*, gdpr, receive, receives, wants*, allow*, email marketing, marketing email*, marketing contact*, mailing list, newsletter*, can email, can contact, can be emailed, active, is active, enabled, email ok, ok to email, mailable, contactable, marketing, can we*, may we*, contact you, email you, keep me*, stay in touch, subscriber, contact me*, contact by*, email me*, write to me, reach me by*, preference, preferences, frequency, reachable",
  "abonniert, angemeldet, eingetragen, einwilligung*, eingewilligt, zustimmung*, zugestimmt, einverstand*, erlaubnis, werbeeinwilligung, aktiv, dsgvo, mailing*, werbung, erlaubt*, kontakterlaubnis",
  "abonne*, inscrit*, inscription, consent*, accepte*, actif, autoris*, rgpd, infolettre, souhaite*",
  "suscrit*, suscrip*, inscrit*, consentim*, acepta*, activo, autoriza*, rgpd, boletin, desea*",
  "iscritt*, iscrizione, consenso, accetta*, attivo, autorizza*, desidera*",
  "inscrit*, assinante, subscrit*, consentim*, aceita*, aceite, ativo, autoriza*, boletim, deseja*",
  "ingeschreven, aangemeld, geabonneerd, toestemming*, akkoord, actief, nieuwsbrief*, avg",
  "nl, nyhetsbrev*, nyhedsbrev*, samtyck*, samtykke*, newslettera, zgoda*, souhlas*, согласие, рассылка, згода, розсилка, uutiskirje*, markkinointilupa, suostumus*, hirlevel*, hozzajarul*, feliratkozott, abonat, consimtamant*, acord, abone, bulten*, onay, izin, συγκαταθεση, ενημερωτικο, メルマガ, 配信許可, 订阅, 訂閱, 구독, 수신동의, 수신 동의",
]);
const confirming = phrasesOf([
  "confirm*, verified*, verification*, double opt in*, doubleoptin*, double optin*, doi, validated, activated",
  "bestatigt*, bestatigung*, verifiziert, aktiviert",
  "confirme*, confirmation*, verifie*",
  "confirmad*, confirmacion, verificad*",
  "conferm*, verificat*",
  "confirmad*, confirmacao, verificad*",
  "bevestigd*, bevestiging*, geverifieerd",
]);

/** Headers of columns that hold a status. */
const STATUS =
  /^(status|(abo|newsletter|e?mail|mailing|sub|subscriber|subscription|list|member|optin|contact)status|statut|situacao|situacion|situazione|zustand|stav|статус|состояние|стан|tila|allapot|statusz|stare|durum|κατασταση|ス テ ー タ ス|状 態|状 态|狀 態|상태|סטטוס|מצב|الحالة)$/;
/** Headers of columns that may also contain a region, type or plan: their values decide. */
const MAYBE_STATUS =
  /^(state|estado|stato|etat|staat|type|typ|tipo|art|situation|deliverability|zustellbarkeit|validity|validation|quality)$/;
/** The end of a subscription or membership, which may be in the future. */
const END =
  /^((subscription|membership|member|plan|abo|abonnement) )?(end|ends|end date|end time|date ended|ends (at|on)|ended (at|on)|expiry|expiry date|expires|expires (at|on)|expiration|expiration date|expired (at|on)|valid until|enddatum|endet am|ablaufdatum|gultig bis|date de fin|fecha de fin|data di fine|data de termino|einddatum)$/;
/** With these words in the header, a status is that of the subscription, not of an order. */
const OF_SUBSCRIPTION =
  /^(status|statut|estado|stato|state|etat|type|subscription|subscriber|subscribers|subscribe|email|e|mail|list|global|member|membership|contact|newsletter|abo|abonnement|abonnenten|abonne|abonnes|abonnee|patron|marketing|consent|permission|opt|in|optin|user|current|mailing|suscripcion|suscriptor|iscrizione|iscritto|inscricao|assinatura|inschrijving|inscription|inscrit|de|del|d|la|l|do|da|of|the|liste|lista|globaler|global|kontakt|listen|listenstatus)$/;

/** A column about another channel says nothing about email, and one of links nothing about a person. */
const OTHER_CHANNEL =
  /(^| )(sms|phone|phones|whatsapp|push|mobile|texts?|telefon|telephone|telefono|telefone|handy|mobil|mms|call|calls|voice|fax|messenger|facebook|discord|telegram)( |$)/;
const OF_EMAIL = /(^| )(e ?mails?|mails?|newsletter)( |$)/;
const NO_STATEMENT =
  /(^| )(link|links|url|urls|lien|enlace|token|tokens|hash|key|keys|uuid|track|tracking|tracked|rate|score)( |$)/;

/** A 0 in a column of counts is not a no: "Emails received". */
const COUNT =
  /(^| )(sent|received|dropped|opened|opens|clicked|clicks|delivered|count|number|num|total|revenue|amount|spent|orders)( |$)/;

/**
 * Only letters, in lower case and without accents, with the words of "camelCase" and "snake_case" separated, and each
 * character of Chinese and Japanese, which have no spaces between words.
 */
export const simple = remembered((text: string) => {
  if (!/\p{L}/u.test(text)) return "";
  const isPlain = !/[^\p{ASCII}]/u.test(text);
  const apart = text.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  return isPlain
    ? folded(
        apart
          .toLowerCase()
          .replaceAll(/[^a-z]+/g, " ")
          .trim(),
      )
    : lettersOf(apart);
});

/** Full-width letters become normal letters, and soft hyphens are removed. */
function lettersOf(text: string) {
  const letters = text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ß", "ss")
    .replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu, " $& ")
    .replaceAll(/[^\p{L}]+/gu, " ");
  return folded(letters.trim());
}

/** Caches results of the first short cells: most cells of a long list have the same few words. */
function remembered<T>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (text.length > 32) return read(text);
    const former = known.get(text);
    if (former !== undefined) return former;
    const found = read(text);
    if (known.size < 5000) known.set(text, found);
    return found;
  };
}

/** “gelöscht” is also written “geloescht”: both become "geloscht". */
function folded(text: string) {
  return text.replaceAll(/([aou])e+/g, "$1");
}

/** The role of a column by its header. */
export type HeaderRole =
  /** A non-empty cell is the sign: "unsubscribed_at", "Bounced". */
  | { says: "sign"; sign: Sign }
  /** A date in the past is the sign: when a subscription or membership ended. */
  | { says: "end" }
  /** A no is the sign: "accepts_marketing"; or pending: "Confirmed". */
  | { says: "agreement"; sign: "unsubscribed" | "pending" }
  | { says: "status" }
  /** A status column only if its values are statuses. */
  | { says: "perhaps status" }
  | { says: "nothing" };

export function roleOfHeader(header: string): HeaderRole {
  const name = simple(header);
  if (name === "" || NO_STATEMENT.test(name) || isOfOtherChannel(header)) return { says: "nothing" };
  const tokens = name.split(" ");
  for (const sign of signs)
    if (occurs(tokens, table.header[sign]) || table.wholeHeader[sign].has(name))
      return { says: "sign", sign };
  if (STATUS.test(tokens.at(-1)!) || STATUS.test(tokens[0]!) || STATUS.test(name))
    return {
      says:
        STATUS.test(name) || tokens.every((token) => STATUS.test(token) || OF_SUBSCRIPTION.test(token))
          ? "status"
          : "perhaps status",
    };
  if (END.test(name)) return { says: "end" };
  if (MAYBE_STATUS.test(tokens.at(-1)!)) return { says: "perhaps status" };
  if (COUNT.test(name)) return { says: "nothing" };
  if (occurs(tokens, confirming)) return { says: "agreement", sign: "pending" };
  if (occurs(tokens, agreeing)) return { says: "agreement", sign: "unsubscribed" };
  return { says: "nothing" };
}

/** Such as a column about text messages. */
export function isOfOtherChannel(header: string) {
  const name = simple(header);
  return OTHER_CHANNEL.test(name) && !OF_EMAIL.test(name);
}

/** The most cautious sign in a cell's words, in any column, and in one that holds a status. */
export function signInWords(cell: string, { isStatus = false } = {}): Sign | null {
  const { any, status } = signsIn(cell);
  return isStatus ? status : any;
}

/**
 * What a cell's words say in a column that is not about letters: the sign; a doubt, which the owner has to answer; or a
 * mention, which is probably about another matter and is only shown.
 */
export type Said = Sign | "doubt" | "mention" | null;

/** In a note, a tag or a column with an unknown header: a word about another matter is a doubt. */
export const saidInWords = (cell: string): Said => signsIn(cell).note;

/** In a column of names, companies, posts, places or addresses, where words never decide. */
export const saidInName = (cell: string): Said => signsIn(cell).name;

type Signs = { any: Sign | null; status: Sign | null; note: Said; name: Said };

const signsIn = remembered((cell: string): Signs => {
  const isNamed = NAMED.test(cell);
  if (
    !isNamed &&
    !simple(cell)
      .split(" ")
      .some((token) => table.beginnings.has(token.slice(0, 3)))
  )
    return NO_SIGNS;
  const inObject = signInObject(cell);
  if (inObject !== undefined) return { any: inObject, status: inObject, note: inObject, name: inObject };
  const parts = cell
    .slice(0, MOST_CHARACTERS)
    .replaceAll(/https?:\/\/\S+|\bwww\.\S+/gi, " ")
    // A part of an address: in Spanish “bloque” is a block, in French “bloqué” is blocked.
    .replaceAll(/\bbloque\s+(?:\d|\p{L}\b)/giu, " ")
    .split(/[,;|/\n()[\]{}"“”:–—•·]| - /)
    .map((part) => simple(part).replace(NOT_TO_MISS, "").trim())
    .filter((part) => part !== "");
  const found = (is: (sign: Sign, part: string) => boolean) =>
    mostCautious(signs.filter((sign) => parts.some((part) => is(sign, part))));
  const named = isNamed ? signsOfEntries(cell.slice(0, MOST_CHARACTERS)) : [];
  const any = mostCautious([
    ...named,
    found((sign, part) => occurs(part.split(" "), table.anywhere[sign]) || table.whole[sign].has(part)),
  ]);
  const status = mostCautious([any, found((sign, part) => table.status[sign].has(part))]);
  if (any === null) {
    const isStatus = (part: string) =>
      signs.some((sign) => table.status[sign].has(part)) && !alsoNames.has(part) && !no.has(part);
    return { any, status, note: null, name: parts.some(isStatus) ? "doubt" : null };
  }
  const isOfWeb =
    /^[^\s@]+@[^\s@]+$|^[a-z\d-]+(\.[a-z\d-]+)*\.(com|org|net|info|io|eu|de|at|ch|fr|es|it|pt|nl|uk|au)(\/\S*)?$/.test(
      cell.trim(),
    );
  const weights = parts.map((part) => weightOf(part));
  const isSign = named.some(Boolean) || weights.includes("sign");
  const isClear = named.some(Boolean) || parts.some(isClearInName);
  return {
    any,
    status,
    note: ADDRESS.test(cell) ? "mention" : isSign && !isOfWeb ? any : "doubt",
    name: isClear && !isOfWeb ? "doubt" : "mention",
  };
});

/** A second address of a person says nothing: “no-mail@example.com”. */
const ADDRESS = /^\s*[^\s@]+@[^\s@]+\.\p{L}{2,}\s*$/u;

const NO_SIGNS: Signs = { any: null, status: null, note: null, name: null };

/** How much the words of a part of a note say; null if it has no sign. */
function weightOf(part: string): "sign" | "doubt" | null {
  if (signs.some((sign) => table.whole[sign].has(part))) return "sign";
  const tokens = part.split(" ");
  const phrases = signs.flatMap((sign) => phrasesIn(tokens, table.anywhere[sign]));
  if (phrases.length === 0) return null;
  if (phrases.some(({ isVague }) => !isVague) || ofContact.test(part)) return "sign";
  if (ofOtherMatters.test(part)) return "doubt";
  return requested.test(part) || phrases.some((phrase) => isAlone(phrase, tokens)) ? "sign" : "doubt";
}

/** “Ada Oak (unsubscribed)”: no name has these words. */
function isClearInName(part: string) {
  if (signs.some((sign) => table.whole[sign].has(part))) return !alsoNames.has(part);
  const tokens = part.split(" ");
  const isOther = ofOtherMatters.test(part);
  return signs
    .flatMap((sign) => phrasesIn(tokens, table.anywhere[sign]))
    .some((phrase) => {
      if (!phrase.isVague) return true;
      const others = tokens.filter((token) => !phrase.words.some((word) => token.startsWith(word)));
      return !isOther && (isAlone(phrase, tokens) || ofContact.test(others.join(" ")));
    });
}

const isAlone = (phrase: Phrase, tokens: string[]) =>
  tokens.filter((token) => !beside.has(token)).length <=
  phrase.words.filter((word) => !beside.has(word)).length;

/** “Möchte keine Ausgabe verpassen”: of people who want more, not less. */
const NOT_TO_MISS =
  /\b(mochte|will|wil|ne \w+ pas|no quier\w+|no dese\w+|non vogl\w+|non vuol\w*|non desider\w+|nao quer\w*|nao desej\w+)( \w+){0,4} (verpassen|missen|manqur|rater|louper|perder\w*)\b/;

/** “GDPR consent: no; city: Perth”. */
const NAMED = /\p{L}[^,;|\n:=]{0,60}[:=]\s*\S/u;

function signsOfEntries(cell: string) {
  return cell.split(/[,;|\n]/).map((entry) => {
    const [, name, value] = /^([^:=]{1,80})[:=]\s*(\S.{0,80})$/su.exec(entry.trim()) ?? [];
    const role = name === undefined || isOfOtherChannel(name) ? null : roleOfHeader(name);
    return role?.says === "agreement" && isNo(value!) ? role.sign : null;
  });
}

/** Only the start of a note is searched. */
const MOST_CHARACTERS = 2000;

/** The sign in attributes as JSON, where each member counts as a column. Undefined if the cell is not an object. */
function signInObject(cell: string): Sign | null | undefined {
  if (!/^\s*\{.*\}\s*$/s.test(cell)) return undefined;
  let members: unknown;
  try {
    members = JSON.parse(cell);
  } catch {
    return undefined;
  }
  const found = Object.entries(members as object).map(([name, value]) =>
    signOfNamed(name, typeof value === "string" ? value : JSON.stringify(value)),
  );
  return mostCautious(found);
}

/** The sign in a cell, from its name and its own words. */
export function signOfNamed(name: string, cell: string): Sign | null {
  const role = roleOfHeader(name);
  const own = isOfOtherChannel(name)
    ? null
    : signInWords(cell, { isStatus: role.says === "status" || role.says === "agreement" });
  if (role.says === "sign") return mostCautious([own, isFilled(cell) ? role.sign : null]);
  if (role.says === "agreement") return mostCautious([own, isNo(cell) ? role.sign : null]);
  return own;
}

export function mostCautious(found: (Sign | null)[]): Sign | null {
  return signs.find((sign) => found.includes(sign)) ?? null;
}

/** The status in a cell of a status column. Undefined if nothing in it is known. */
export function statusOf(cell: string): Sign | "active" | "blank" | undefined {
  const sign = signInWords(cell, { isStatus: true });
  if (sign) return sign;
  if (isBlank(cell)) return "blank";
  const parts = cell.split(/[,;|/()·]| - /).filter((part) => !hasNothing(part));
  if (parts.every((part, index) => isOfStaying(part) || (index > 0 && GENDER.test(part)))) return "active";
  return isNo(cell) ? "unsubscribed" : undefined;
}

/** “abonné·e”, “suscrito/a”, “Abonnent(in)”. */
const GENDER = /^(e|es|s|a|as|o|os|in|innen)$/;

/** Whether all of a part means that the person gets letters: “Mitglied 2019” and “active?” may not. */
function isOfStaying(part: string) {
  if (/^\s*1\s*$/.test(part)) return true;
  if (/[\p{N}?~†☐✗✘×❌]/u.test(part) || isLimited(part)) return false;
  const word = simple(part);
  return staying.has(word) || plans.has(word) || often.has(word) || saysYes(part);
}

/** Whether it may be over: “Yes (until 2020)”. */
export const isLimited = (cell: string) => limiting.test(simple(cell));

/** Whether it is about a membership rather than letters. */
export const isOfMembership = (cell: string) => ofMembership.test(simple(cell));

export const isStayingWord = (cell: string) => staying.has(simple(cell));

/** Whether it is a word of a subscription's status, rather than yes, no or a plan. */
export const isStatusWord = (cell: string) => {
  const { status, note } = signsIn(cell);
  return (status !== null && note !== "doubt" && note !== "mention") || staying.has(simple(cell));
};
export const isPlanWord = (cell: string) => plans.has(simple(cell));

/** Whether it has a yes, a date, a number or words: "0000-00-00 00:00:00", "[]" and “never” do not count. */
export function isFilled(cell: string) {
  const word = simple(cell);
  if (/[1-9✓✔☑✅☒✗✘×❌]/.test(cell)) return true;
  return word !== "" && !no.has(word) && !unknown.has(word) && !staying.has(word);
}

/** Whether it is a no: "0", “nein”, “No thanks”. */
export const isNo = (cell: string) => {
  const word = simple(cell);
  return (
    no.has(word) ||
    nothing.has(word) ||
    turning.has(word.split(" ", 1)[0]!) ||
    /^\s*(?:0+(?:[.,]0+)?|[-−]\d+|[☐✗✘×❌])\s*$/.test(cell)
  );
};

/** Empty, or a word for unknown. */
export const isBlank = (cell: string) => hasNothing(cell) || unknown.has(simple(cell));
const hasNothing = (cell: string) => !/[\p{L}\p{N}✓✔☑✅☒☐✗✘×❌]/u.test(cell);

/** Whether it is a yes, also in other words or as a date: “Yes please”, "subscribed", “weekly”, "2024-02-03". */
export const isYes = (cell: string) =>
  saysYes(cell) || staying.has(simple(cell)) || often.has(simple(cell)) || /[1-9]/.test(cell);

/** Whether it may mean that there is no value, as much as no: “none”, "NULL". */
export const isNone = (cell: string) => none.has(simple(cell));

export const isYesOrNo = (cell: string) => isNo(cell) || saysYes(cell);

const saysYes = (cell: string) => {
  const word = simple(cell);
  return yes.has(word) || CLEAR_YES.test(word) || /^\s*(?:1|[✓✔☑✅☒])\s*$/.test(cell);
};

/** At the start of an answer: “on hold” is not one. */
const CLEAR_YES = /^(yes|ja|oui|si|sim|tru) /;

/* The table in the forms that matching needs. */

type Phrase = {
  words: string[];
  /** Whether the last word may continue. */ isStem: boolean;
  isVague: boolean;
};
/** Phrases by the first two letters of their first word. */
type Phrases = Map<string, Phrase[]>;

function listOf(lines: string[]) {
  return new Set(lines.flatMap((line) => line.split(", ").map(normalised)));
}

/** An entry normalised by `simple`, with the table's marks around it. */
function normalised(entry: string) {
  const [, mark = "", phrase = "", stem = ""] = /^([=~#^]?)(.*?)(\*?)$/.exec(entry)!;
  return mark + (/[^\p{ASCII}]/u.test(phrase) ? lettersOf(phrase) : folded(phrase)) + stem;
}

function phrasesOf(lines: string[]): Phrases {
  const phrases = [...listOf(lines)].map((text) => ({
    words: text.replace(/\*$/, "").split(" "),
    isStem: text.endsWith("*"),
    isVague: vague.has(text),
  }));
  return Map.groupBy(phrases, ({ words: [first] }) => first!.slice(0, 2));
}

function occurs(tokens: string[], phrases: Phrases) {
  return tokens.some((token, at) =>
    phrases.get(token.slice(0, 2))?.some((phrase) => isAt(tokens, at, phrase)),
  );
}

const phrasesIn = (tokens: string[], phrases: Phrases) =>
  tokens.flatMap(
    (token, at) => phrases.get(token.slice(0, 2))?.filter((phrase) => isAt(tokens, at, phrase)) ?? [],
  );

/** Where the first phrase of the table is in a text, as its first and last character. */
export function placeOfPhrase(text: string): { start: number; end: number } | null {
  const tokens = [...text.slice(0, MOST_CHARACTERS).matchAll(/[\p{L}\p{M}]+/gu)].flatMap((match) =>
    simple(match[0])
      .split(" ")
      .map((word) => ({ word, start: match.index, end: match.index + match[0].length })),
  );
  const texts = tokens.map(({ word }) => word);
  for (const [at, { word, start }] of tokens.entries())
    for (const sign of signs) {
      const phrase = table.anywhere[sign].get(word.slice(0, 2))?.find((each) => isAt(texts, at, each));
      if (phrase) return { start, end: tokens[at + phrase.words.length - 1]!.end };
    }
  return null;
}

function isAt(tokens: string[], at: number, { words: phrase, isStem }: Phrase) {
  if (
    at > 0 &&
    (turning.has(tokens[at - 1]!) || (tokens[at - 1] === "been" && turning.has(tokens[at - 2] ?? "")))
  )
    return false;
  return phrase.every((word, index) => {
    const token = tokens[at + index];
    if (token === undefined) return false;
    return isStem && index === phrase.length - 1 ? token.startsWith(word) : token === word;
  });
}

const table = (() => {
  const of = <T>(make: (entries: string[]) => T) =>
    Object.fromEntries(signs.map((sign) => [sign, make([...listOf(words[sign])])])) as Record<Sign, T>;
  const marked = (entries: string[], mark: string) =>
    entries.filter((entry) => entry.startsWith(mark)).map((entry) => entry.slice(1));
  const plain = (entries: string[]) => entries.filter((entry) => /^\p{L}/u.test(entry));
  return {
    header: of((entries) => phrasesOf([...plain(entries), ...marked(entries, "="), ...marked(entries, "#")])),
    anywhere: of((entries) => phrasesOf(plain(entries))),
    whole: of((entries) => new Set(marked(entries, "="))),
    status: of((entries) => new Set(marked(entries, "~"))),
    wholeHeader: of((entries) => new Set(marked(entries, "^"))),
    /** The first letters of every phrase: most cells contain none of them. */
    beginnings: new Set(
      [...listOf(signs.flatMap((sign) => words[sign]))].map((entry) =>
        entry
          .replace(/^[=~#^]/, "")
          .replace("*", "")
          .split(" ", 1)[0]!
          .slice(0, 3),
      ),
    ),
  };
})();
