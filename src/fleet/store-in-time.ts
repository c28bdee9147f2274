import type { Store } from "../store/port.ts";

/**
 * GitHub waits 10 s for an answer. A delivery that is not stored before fails: GitHub shows it as failed and it
 * is asked for again. Should it have been stored after all, it is known by its GUID.
 */
export function storeInTime(store: Pick<Store, "putDelivery">, withinMs = 8_000): Pick<Store, "putDelivery"> {
  return {
    putDelivery: async (delivery, concern) => {
      const stored = store.putDelivery(delivery, concern);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error("the delivery could not be stored in time")), withinMs);
      });
      try {
        return await Promise.race([stored, late]);
      } finally {
        clearTimeout(timer);
        stored.catch(() => undefined);
      }
    },
  };
}
