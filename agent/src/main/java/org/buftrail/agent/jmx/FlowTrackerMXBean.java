package org.buftrail.agent.jmx;

import java.io.IOException;
import java.util.List;

/**
 * Flows of Netty buffers in this JVM: {@code org.buftrail:type=FlowTracker}.
 *
 * <p>Consoles show the description of each {@link org.buftrail.model.Figure}. Attributes are at
 * most a second old. Counts are buffers, scaled up where only 1 in {@link #getSampling} allocations
 * is followed; bytes are capacities. All but the live figures count since {@link #getSinceMillis}.
 */
public interface FlowTrackerMXBean {
  /** What leaks, what is live, and the tree of all paths: bounded text for people. */
  @Description("What leaks, what is live, and the tree of all paths, as text")
  String getTreeView();

  /** The flows as structured text for language models. */
  @Description("Totals, leaks and flows as structured text, one line each, for language models")
  String getLLMView();

  /** Totals in a few lines. */
  @Description("Totals, roots, paths and leak paths in a few lines")
  String getSummary();

  /** Buffers that are alive and followed now. */
  long getActiveFlowCount();

  /** Allocator methods that buffers came from. */
  int getRootCount();

  /** Paths on which a buffer ended or is now. */
  int getPathCount();

  /** Buffers allocated. */
  long getAllocatedCount();

  /** Buffers released. */
  long getReleasedCount();

  /** Buffers that leaked: collected without the release that they needed. */
  long getLeakedCount();

  /** Buffers that leaked within others, which are counted as leaked. */
  long getHeldCount();

  /** Buffers collected without a release, with nothing lost. */
  long getDroppedCount();

  /** Their bytes. */
  long getDroppedBytes();

  /** Bytes of the leaked buffers and of what they held. */
  long getLeakedBytes();

  /** Leaked bytes outside the heap, which nothing gives back. */
  long getDirectLeakedBytes();

  /** Bytes of the buffers that are alive now. */
  long getLiveBytes();

  /** The part of them outside the heap. */
  long getDirectLiveBytes();

  /** Most bytes of buffers that were alive at once since the start. */
  long getPeakLiveBytes();

  /** When these were alive, in milliseconds since the epoch, or -1. */
  long getPeakAtMillis();

  /** Bytes that Netty's allocators keep, by their own figures; -1 where none can be asked. */
  long getPoolBytes();

  /** The part of these bytes in chunks with live buffers that are followed, or -1. */
  long getPoolHeldBytes();

  /** The part of the held bytes that these buffers take, or -1. */
  long getPoolTakenBytes();

  /** The part of the held bytes that the next allocation may take, or -1. */
  long getPoolFreeBytes();

  /** The rest of the held bytes, or -1. */
  long getPoolOtherBytes();

  /** Bytes in chunks without such buffers, or -1. */
  long getPoolIdleBytes();

  /** Bytes in chunks that were not found, or -1. */
  long getPoolNotLocatedBytes();

  /** Bytes in chunks that hold buffers at one place and nothing else, or -1. */
  long getPoolAloneBytes();

  /** Bytes of the whole process in RAM, at most a minute old; -1 where that is not known. */
  long getResidentBytes();

  /** Bytes of live direct buffers of the JDK that the application's calls allocated, or -1. */
  long getDirectCallBytes();

  /** Age of the oldest live buffer in milliseconds; -1 when there is none. */
  long getOldestLiveMillis();

  /** N where 1 in N allocations is followed. */
  int getSampling();

  /** Buffers that went past a bound of the tracker. */
  long getOverflowedCount();

  /** Buffers released, retained or used after their release. */
  long getMisuseCount();

  /** Errors inside the tracker that were kept from the application. */
  long getSuppressedErrorCount();

  /** When counting began or was reset, in milliseconds since the epoch. */
  @Description("When counting began or was reset, in milliseconds since the epoch")
  long getSinceMillis();

  /** The paths that leak, at most 50, most bytes first. */
  @Description("The paths that leak, at most 50, most leaked bytes first")
  List<PathView> getLeakPaths();

  /** The paths that hold live buffers, at most 50, most bytes first. */
  @Description("The paths that hold live buffers, at most 50, most live bytes first")
  List<PathView> getLivePaths();

  /** The paths that held buffers at the moment when most bytes were alive, at most 50. */
  @Description(
      "The paths that held most at the moment when most bytes were alive, at most 50; what was live"
          + " then is their live count")
  List<PathView> getPeakPaths();

  /** Netty's allocators, each for one kind of memory. */
  @Description("Netty's allocators, each for one kind of memory, and what becomes of their memory")
  List<PoolView> getPools();

  /** The paths whose live buffers hold memory of Netty's allocators, at most 50. */
  @Description(
      "The paths whose live buffers hold chunks of Netty's allocators, at most 50, those that hold"
          + " most alone first")
  List<HolderView> getPoolHolders();

  /** The chunks in which live buffers lie, at most 50, the largest first. */
  @Description("The chunks of Netty's allocators with live buffers, at most 50, the largest first")
  List<ChunkView> getPoolChunks();

  /** The calls that allocated live direct buffers of the JDK, at most 50. */
  @Description(
      "The application's calls that allocated direct buffers of the JDK, at most 50, most live"
          + " bytes first; needs directBuffers=true")
  List<DirectCallView> getDirectCalls();

  /** What the JVM and Netty count of direct memory, and may have at most. */
  @Description(
      "What the JVM and Netty count of direct memory, and the most that each may count; needs"
          + " directBuffers=true")
  List<AccountView> getDirectAccounts();

  /** Who shares the resident set of the process; at most a minute old. */
  @Description(
      "Who shares the resident set of the process, each page counted once; at most a minute old")
  List<OwnerView> getResidentOwners();

  /** The limits of the process's memory, a line for each; at most a minute old. */
  @Description("The limits of the process's memory, a line for each; at most a minute old")
  List<String> getMemoryLimits();

  /** Sizes and lifetimes of sampled releases by path, at most 50, most samples first. */
  @Description(
      "Sizes and lifetimes of sampled releases by path, in powers of two; at most 50, most samples"
          + " first")
  List<ReleasedView> getReleasedPaths();

  /** The paths that look like leaks before a collection has proved it, at most 50. */
  @Description(
      "The paths that look like leaks before a collection has proved it, and why; at most 50")
  List<SuspectView> getSuspectPaths();

  /** Misuses of released buffers, at most 50, most frequent first. */
  @Description(
      "What was done to buffers that were released already, at most 50, most frequent first")
  List<MisuseView> getMisuses();

  /** How the tracker's own threads are. */
  @Description(
      "How the tracker's own threads are: when each last did its work, and what went wrong")
  List<ThreadView> getThreads();

  /** The formats that {@link #exportToFile} and {@link #render} know. */
  @Description("The formats that exportToFile and render know")
  List<String> getFormats();

  /**
   * Writes a snapshot to a file of this JVM's machine, whole or not at all.
   *
   * @param path the file
   * @param format one of {@link #getFormats}, or empty to go by the file's name
   * @throws IOException saying in one line why it was not written
   */
  @Description("Writes a snapshot to a file on the machine of this JVM")
  void exportToFile(@ParameterName("path") String path, @ParameterName("format") String format)
      throws IOException;

  /**
   * A fresh snapshot in a format.
   *
   * @param format one of {@link #getFormats}
   */
  @Description("A fresh snapshot in one of the formats")
  byte[] render(@ParameterName("format") String format) throws IOException;

  /**
   * What was allocated and released in a range of the last 24 hours, by minute and path, and by how
   * much that grew.
   *
   * @param fromMillis in milliseconds since the epoch
   * @param toMillis in milliseconds since the epoch
   */
  @Description("What each path did in a range of the last 24 hours, by the minute")
  RangeView range(
      @ParameterName("fromMillis") long fromMillis, @ParameterName("toMillis") long toMillis);

  /** Whether new buffers are followed. */
  @Description("Whether new buffers are followed; may be set, costs nothing while false")
  boolean isTracking();

  /** Why new buffers are not followed; empty while they are. */
  @Description("Why new buffers are not followed; empty while they are")
  String getStopReason();

  /** Since when new buffers are not followed, in milliseconds since the epoch, or -1. */
  long getStoppedSinceMillis();

  /** Releases that were counted later, where their buffers were last seen. */
  long getLostReleaseCount();

  /**
   * Switches between following new buffers and not, without weaving anything anew. Those under way
   * are followed to their release in either case.
   *
   * @throws IllegalStateException when the agent is detached, or has given up
   */
  void setTracking(boolean tracking);

  /**
   * Asks the JVM to collect, waits up to a minute for that, and says what it proved and what is
   * undecided still. The application stands still as long as its collector makes it.
   */
  @Description(
      "Asks the JVM to collect, waits for that, and says what it proved and what is undecided")
  CollectionView collect();

  /** Counts from 0 again; what is live stays. */
  @Description("Counts released and leaked buffers from 0 again; what is live stays")
  void reset();
}
