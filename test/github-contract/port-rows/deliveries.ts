import { DOCS } from "../links.ts";
import { type PortRow, row } from "./port-row.ts";

export const deliveryRows: readonly PortRow[] = [
  row(
    "A webhook that was not taken is listed until it is sent again, under its own GUID.",
    { event: "issue_comment", old: 1, later: [], again: true, left: [] },
    [DOCS.failures, DOCS.redelivery, DOCS.deliveries],
    async (place) => {
      const { port, repository, issue } = place;
      const since = place.now() - 60_000;
      await place.listen("fails");
      await repository.createComment(issue, "Nobody hears of it.");
      await place.idle();
      const failed = await port.loadFailedDeliveries(since);
      const later = await port.loadFailedDeliveries(place.now() + 60_000);
      await place.listen("takes");
      const before = place.heard().length;
      for (const { id } of failed) await port.redeliver(id);
      await place.idle();
      const newest = failed[0];
      return {
        event: newest?.event,
        old: failed.filter(({ guid }) => guid === newest?.guid).length,
        later,
        again: place
          .heard()
          .slice(before)
          .includes(newest?.guid ?? ""),
        left: await port.loadFailedDeliveries(since),
      };
    },
  ),
];
