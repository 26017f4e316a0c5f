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

/** Buffers that are alive on one path; one event for each of the paths that hold most bytes. */
@Name("buftrail.LiveFlows")
@Label("Live Buffers")
@Description("Netty buffers that are alive, by path, for the paths that hold most bytes")
@Category({"Buftrail"})
@Period("10 s")
@StackTrace(false)
final class LiveFlowsEvent extends Event {
  @Label("Path")
  @Description("From the allocator to the last hop, separated by ' > '")
  @Nullable String path;

  @Label("Last Hop")
  @Description("Where the buffers are now")
  @Nullable String lastHop;

  @Label("Buffers")
  long count;

  @Label("Bytes")
  @DataAmount
  long bytes;

  @Label("Direct")
  @Description("Whether the memory is outside the heap")
  boolean direct;

  @Label("Suspect")
  @Description("Whether it looks like a leak: it grows, is old, and is hardly released")
  boolean suspect;

  @Label("Oldest")
  @Timespan(Timespan.MILLISECONDS)
  long oldest;

  @Label("Median Age")
  @Timespan(Timespan.MILLISECONDS)
  long median;
}
