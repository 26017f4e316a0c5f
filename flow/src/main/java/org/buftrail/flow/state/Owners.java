package org.buftrail.flow.state;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Finds the buffer that counts. Runs no code but ours and reads fields. Any thread. */
public final class Owners {
  private static final int MAX_WRAPS = 64;
  private static final int MAX_HOLDERS = 4;

  /** Whether there may be holders that are no {@link HolderRoot}. */
  private static boolean others;

  private Owners() {}

  /** A class is about to load whose objects are holders by interface alone, or may have loaded. */
  public static void expectOthers() {
    others = true;
  }

  /** The buffer that the field of a message has, itself or in a further holder; else null. */
  public static @Nullable TrackedBuffer held(@Nullable Object message) {
    Object at = message;
    for (int i = 0; i < MAX_HOLDERS; i++) {
      if (at instanceof HolderRoot) {
        at = ((HolderRoot) at).buftrail$content();
      } else if (others && at instanceof BufferHolder && !(at instanceof Proxy)) {
        // A proxy with the interfaces of a holder's class has code of the application in its place.
        at = ((BufferHolder) at).buftrail$content();
      } else {
        return null;
      }
      if (at instanceof TrackedBuffer) {
        return (TrackedBuffer) at;
      }
    }
    return null;
  }

  /** The buffer whose count {@code buffer} shares, or null. */
  public static @Nullable TrackedBuffer owner(@Nullable TrackedBuffer buffer) {
    if (buffer == null) {
      return null;
    }
    try {
      TrackedBuffer owner = buffer.buftrail$owner();
      return owner == buffer || owner == null ? owner : search(owner);
    } catch (RuntimeException e) {
      // Some views throw when what they view is released; then there is no flow to move.
      return null;
    }
  }

  private static @Nullable TrackedBuffer search(TrackedBuffer from) {
    TrackedBuffer at = from;
    for (int i = 1; i < MAX_WRAPS; i++) {
      TrackedBuffer owner = at.buftrail$owner();
      if (owner == at || owner == null) {
        return owner;
      }
      at = owner;
    }
    return null;
  }
}
