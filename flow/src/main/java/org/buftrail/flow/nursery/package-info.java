/**
 * Where young flows are, the rings of threads, and how flows leave them to be tenured.
 *
 * <h2>The states of a life</h2>
 *
 * A buffer has a state (a node of the tree, or a tenured flow) and a stamp (the number of its life,
 * and a slot or a mark).
 *
 * <table>
 * <caption>States</caption>
 * <tr><th>life</th><th>state</th><th>stamp</th><th>who holds the buffer</th></tr>
 * <tr><td>none, or over</td><td>null, a node, or an end</td><td>ended</td><td>nobody</td></tr>
 * <tr><td>passed over by sampling</td><td>null</td><td>passed</td><td>nobody</td></tr>
 * <tr><td>young</td><td>node</td><td>slot</td><td>that slot of its thread's ring</td></tr>
 * <tr><td>between</td><td>node</td><td>tenured</td><td>the thread that promotes it</td></tr>
 * <tr><td>pending</td><td>tenured flow</td><td>tenured</td><td>the tenured flow, until two sweeps
 *     have seen it in place, or it was let go for its size</td></tr>
 * <tr><td>tenured</td><td>tenured flow</td><td>tenured</td><td>nobody</td></tr>
 * <tr><td>overwritten</td><td>node, by a hop</td><td>tenured</td><td>a straggler, if it is small</td></tr>
 * </table>
 *
 * <p>A tenured flow that is not the state of its buffer is never believed. One that was collected
 * was out of reach of every thread, so no hop or release of it is under way: not ended means
 * leaked. The weak reference is never read while it waits, which would keep the buffer alive
 * through the marking of a concurrent collector.
 *
 * <h2>Changes</h2>
 *
 * The races are classes of {@code flow-jcstress}; {@code RacesTest} holds their names to this
 * table.
 *
 * <table>
 * <caption>Changes</caption>
 * <tr><th>change</th><th>how</th><th>race</th></tr>
 * <tr><td>a life begins</td><td>its thread stores the state, then the stamp, then the slot. Whoever
 *     takes a buffer out of a slot looks at its state afterwards</td>
 *     <td>NewLifeAgainstSweep</td></tr>
 * <tr><td>a hop: young to young</td><td>any thread stores the node, then reads the stamp. A mark
 *     there means that it may have stored over a tenured flow: it leaves a straggler</td>
 *     <td>HopAgainstPromotion, PlaceAgainstPromotion</td></tr>
 * <tr><td>promotion: young to pending</td><td>marks the stamp by compare-and-set, then the state,
 *     from the node that it read. It fails against a new life and a release</td>
 *     <td>PromotionAgainstPromotion</td></tr>
 * <tr><td>another promotion: overwritten to pending</td><td>marks the stamp once more, and leaves a
 *     straggler that holds the buffer, after the compare-and-set of the state. Two promotions of
 *     one life may both succeed when a hop ends where it began; the later one has read or left the
 *     second mark</td><td>TwoPromotionsAgainstLoop</td></tr>
 * <tr><td>let go for its size</td><td>any thread promotes it, lets go, hands it on, and looks back:
 *     a straggler that came before the hand-on may be used up</td>
 *     <td>EvictionAgainstHopAndRelease</td></tr>
 * <tr><td>pending to tenured</td><td>the sweeper, at its second look. From then on each fall of the
 *     count to 0 finds the tenured flow or its mark</td><td>ReleaseAgainstSettle</td></tr>
 * <tr><td>release of a young life</td><td>any thread marks the stamp, and leaves the state. A mark
 *     of a promotion that it finds there: it stores the end over whatever that may have stored, and
 *     leaves a straggler. The sweeper undoes a promotion whose stamp says that all is over</td>
 *     <td>ReleaseAgainstHop, ReleaseAgainstPromotion, ReleaseAgainstPromotionAndHop</td></tr>
 * <tr><td>release of a tenured life</td><td>the thread that sets the flag {@code ended} counts it</td>
 *     <td>EndAgainstEnd</td></tr>
 * <tr><td>kept: wrapped as unreleasable</td><td>a bit of the stamp, by compare-and-set, which any
 *     tenured flow of the life takes over</td><td>KeepAgainstPromotion, KeepAgainstRelease</td></tr>
 * <tr><td>what came before is reported</td><td>a release on another thread stores the plain end; whoever
 *     has the ring puts the fuller one there by compare-and-set. After 16,384 lives it may be that
 *     of an earlier one; no count depends on it</td>
 *     <td>RecallAgainstNewLife, ReleaseAgainstRecall</td></tr>
 * <tr><td>handed to the sweeper</td><td>a list that is swapped whole. Stragglers are taken before it,
 *     and wait while a thread has taken its list out to drop what has ended</td>
 *     <td>DropEndedAgainstSweep</td></tr>
 * <tr><td>a ring grows, shrinks, gives back room</td><td>its thread, and the sweeper for an idle
 *     one</td><td>GrowthAgainstSweep, ShrinkAgainstSweep, ReclaimAgainstOwner</td></tr>
 * <tr><td>a virtual thread borrows its carrier's ring</td><td>given back with release</td>
 *     <td>GiveBackAgainstBorrow</td></tr>
 * <tr><td>counts move to the shared ones</td><td>under their monitor</td><td>SpillAgainstSum</td></tr>
 * <tr><td>a scope opens, or closes</td><td>a flow is reported by it or the one around it</td>
 *     <td>OpenAgainstAllocation, CloseAgainstAllocation, CloseAgainstRelease</td></tr>
 * </table>
 *
 * <p>A life whose count stays at 0 for a minute without any sign of a release was released by code
 * that is not woven. It counts as released where it was last seen. A resource that cannot say its
 * count is never at 0: a thread that stands between the count and the mark of its release for two
 * sweeps would be reported as a leak.
 */
@NullMarked
package org.buftrail.flow.nursery;

import org.jspecify.annotations.NullMarked;
