package org.buftrail.agent.events;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Buffers that were collected without a release, on one path, in about a second. New ones at the
 * end of a chunk is written there, so a recording that the end of the JVM ends has all.
 */
@Name("buftrail.Leak")
@Label("Buffer Leak")
@Description("Netty buffers that were collected without a release, by the path that they took")
@Category({"Buftrail"})
@Period("endChunk")
@StackTrace(false)
final class LeakEvent extends Event {
  @Label("Path")
  @Description("From the allocator to the last hop, separated by ' > '")
  @Nullable String path;

  @Label("Last Hop")
  @Description("Where the buffers were last seen")
  @Nullable String lastHop;

  @Label("Buffers")
  long count;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Age")
  @Description("How long ago the first leak on this path was found")
  @Timespan(Timespan.MILLISECONDS)
  long age;

  @Label("Direct")
  @Description("Whether the memory is outside the heap, where nothing gives it back")
  boolean direct;
}
