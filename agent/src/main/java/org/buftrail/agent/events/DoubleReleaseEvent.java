package org.buftrail.agent.events;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * Something done to buffers that were released already, in about a second. New ones at the end of a
 * chunk is written there.
 */
@Name("buftrail.DoubleRelease")
@Label("Buffer Misuse")
@Description("Netty buffers that were released, retained or used after their release")
@Category({"Buftrail"})
@Period("endChunk")
@StackTrace(false)
final class DoubleReleaseEvent extends Event {
  @Label("Kind")
  @Description("double release, retain after release or use after release")
  @Nullable String kind;

  @Label("Place")
  @Description("Where it was done: the first place outside Netty")
  @Nullable String place;

  @Label("Times")
  long count;

  @Label("Released By")
  @Description("The path whose release came first, separated by ' > '")
  @Nullable String path;

  @Label("Earlier Life Released By")
  @Description("The path of the earlier life of a recycled buffer, or null")
  @Nullable String earlierPath;
}
