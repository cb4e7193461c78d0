/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

final class DegradeControlTest {
    private static final int STEPS = 4;
    private static final long PICTURE = TimeUnit.MILLISECONDS.toNanos(40);
    private static final long LATE = TimeUnit.MILLISECONDS.toNanos(10);

    private final DegradeControl control = new DegradeControl();

    /** Number of the next picture. */
    private int picture;

    /** The step of each picture of {@link #play}. */
    private final List<Integer> played = new ArrayList<>();

    /** Pictures of which each is shown before the next begins. They are late at the steps that this predicate says. */
    private void play(int pictures, IntPredicate lateAt) {
        for (int i = 0; i < pictures; i++) {
            int step = control.next(picture * PICTURE, STEPS, false, 0);
            played.add(step);
            control.judge(lateAt.test(step) ? LATE : -LATE, picture * PICTURE);
            picture++;
        }
    }

    private void pass(int pictures) {
        play(pictures, step -> false);
    }

    @Test
    void eachLatePictureIsAStepDownToTheLast() {
        pass(2);
        play(8, step -> step < STEPS - 1);
        assertEquals(
                List.of(0, 0, 0, 3, 1, 3, 2, 3, 3, 3), played, "after each late picture one passes, which is in time");
        assertEquals(3, control.latePictures());
    }

    @Test
    void eventsAreAnsweredUntilNothingIsLeftToGiveUp() {
        control.next(0, STEPS, false, 0);
        for (int step = 0; step < STEPS - 1; step++) {
            long time = (1 + 2 * step) * PICTURE;
            assertEquals(step, control.next(time, STEPS, false, 0));
            assertTrue(control.judge(LATE, time));
            assertEquals(STEPS - 1, control.next(time + PICTURE, STEPS, false, 0));
            assertFalse(control.judge(-LATE, time + PICTURE));
        }
        control.next(2 * STEPS * PICTURE, STEPS, false, 0);
        assertFalse(control.judge(LATE, 2 * STEPS * PICTURE), "the elements before have to do less");
        assertFalse(control.judge(-LATE, 2 * STEPS * PICTURE), "they may do more");
        assertEquals(STEPS - 1, control.step());
    }

    @Test
    void theFirstPictureIsNotJudged() {
        assertEquals(0, control.next(0, STEPS, false, 0));
        assertTrue(control.judge(LATE, 0));
        assertEquals(0, control.next(PICTURE, STEPS, false, 0));
        control.restart();
        picture = 5;
        play(1, step -> true);
        assertEquals(0, control.step());
    }

    @Test
    void aLatenessThatNobodySeesCountsAsInTime() {
        pass(1);
        control.next(PICTURE, STEPS, false, 0);
        assertTrue(control.judge(DegradeControl.TOLERATED_NANOS, PICTURE), "the decoder would drop a picture");
        assertEquals(0, control.step());
        control.judge(DegradeControl.TOLERATED_NANOS + 1, PICTURE);
        assertEquals(STEPS - 1, control.step());
    }

    @Test
    void picturesThatBeganBeforeAStepAreNotJudgedByIt() {
        for (int i = 0; i < 10; i++) {
            control.next(i * PICTURE, STEPS, false, 0);
        }
        for (int i = 1; i < 10; i++) {
            assertTrue(control.judge(LATE, i * PICTURE), "picture " + i);
            assertEquals(STEPS - 1, control.step());
        }
        assertEquals(STEPS - 1, control.next(10 * PICTURE, STEPS, false, 0));
        assertEquals(STEPS - 1, control.next(11 * PICTURE, STEPS, false, 0));
        control.judge(-LATE, 9 * PICTURE);
        assertEquals(STEPS - 1, control.step());
        control.judge(-LATE, 10 * PICTURE);
        assertEquals(1, control.step(), "one step down, however many were late");
        assertEquals(1, control.next(12 * PICTURE, STEPS, false, 0));
        control.judge(LATE, 11 * PICTURE);
        assertEquals(1, control.step());
    }

    @Test
    void whileItCatchesUpTheDecoderDoesAllUnlessThatIsNotEnough() {
        control.next(0, STEPS, false, 0);
        control.next(PICTURE, STEPS, false, 0);
        assertTrue(control.judge(5 * LATE, PICTURE));
        control.next(2 * PICTURE, STEPS, false, 0);
        assertTrue(control.judge(4 * LATE, 2 * PICTURE), "it becomes less");
        control.next(3 * PICTURE, STEPS, false, 0);
        assertFalse(control.judge(4 * LATE, 3 * PICTURE), "the elements before have to do less");
        assertEquals(STEPS - 1, control.step());
    }

    @Test
    void aStepUpComesAfterSomePicturesInTime() {
        pass(1);
        play(1, step -> true);
        played.clear();
        pass(DegradeControl.FIRST_WAIT + 3);
        assertEquals(STEPS - 1, played.get(0));
        for (int i = 1; i < played.size(); i++) {
            assertEquals(i <= DegradeControl.FIRST_WAIT ? 1 : 0, played.get(i), "picture " + i);
        }
    }

    /** A machine that is too slow for one step: it tries that step less and less often, and always comes back to the next. */
    @Test
    void aStepThatFailsIsTriedAfterTwiceAsLong() {
        pass(1);
        play(20_000, step -> step == 0);
        int wait = DegradeControl.FIRST_WAIT;
        int at = played.indexOf(1);
        while (at + wait + 1 < played.size()) {
            for (int i = at; i < at + wait; i++) {
                assertEquals(1, played.get(i), "picture " + i);
            }
            at += wait;
            assertEquals(0, played.get(at), "picture " + at);
            assertEquals(STEPS - 1, played.get(at + 1), "picture " + (at + 1));
            at += 2;
            wait = Math.min(2 * wait, DegradeControl.LONGEST_WAIT);
        }
        assertEquals(DegradeControl.LONGEST_WAIT, wait);
    }

    /** Whoever fell too far comes back soon to the step that is fast enough: only the step above that is tried seldom. */
    @Test
    void aStepThatIsFastEnoughIsReachedSoonAfterEachAttempt() {
        pass(1);
        play(4000, step -> step == 0);
        play(STEPS, step -> true);
        assertEquals(STEPS - 1, control.step());
        played.clear();
        play((STEPS - 2) * DegradeControl.FIRST_WAIT + 1, step -> step == 0);
        assertEquals(1, played.get(played.size() - 1));
    }

    @Test
    void aStepThatLastsIsTriedAgainSooner() {
        pass(1);
        play(1000, step -> step == 0);
        pass(8 * DegradeControl.LONGEST_WAIT);
        assertEquals(0, control.step());
        // Each picture that is late once, after long, costs no more than the first did.
        for (int i = 0; i < 10; i++) {
            play(1, step -> true);
            pass(2 * DegradeControl.LONGEST_WAIT);
            assertEquals(0, control.step());
        }
        play(1, step -> true);
        played.clear();
        pass(DegradeControl.FIRST_WAIT + 2);
        assertEquals(0, played.get(DegradeControl.FIRST_WAIT + 1));
    }

    @Test
    void withoutEventsNothingIsGivenUpForLong() {
        for (int i = 0; i < 1000; i++) {
            assertEquals(0, control.next(i * PICTURE, STEPS, false, 0));
        }
        control.judge(LATE, 999 * PICTURE);
        for (int i = 0; i < DegradeControl.SILENCE; i++) {
            int expected = i < DegradeControl.FIRST_WAIT ? STEPS - 1 : 1;
            assertEquals(expected, control.next((1000 + i) * PICTURE, STEPS, false, 0), "picture " + i);
        }
        assertEquals(0, control.next(2000 * PICTURE, STEPS, false, 0));
    }

    @Test
    void aPictureThatNoEventCanNameIsFilteredInFull() {
        pass(1);
        play(1, step -> true);
        assertEquals(0, control.next(DegradeControl.NO_TIME, STEPS, false, 0));
        assertFalse(control.judge(-1, 3 * PICTURE));
    }

    @Test
    void settingsWithFewerStepsEndAtTheirLast() {
        pass(1);
        play(3, step -> true);
        assertEquals(1, control.next(picture * PICTURE, 2, false, 0));
        assertEquals(0, control.next(picture * PICTURE, 1, false, 0));
        assertFalse(control.judge(LATE, picture * PICTURE));
        assertEquals(0, control.step());
    }

    @Test
    void picturesWithParametersOfADecoderSayNothing() {
        pass(1);
        play(1, step -> true);
        for (int i = 0; i < 3; i++) {
            control.nextIsExact();
            assertFalse(control.judge(LATE, (10 + i) * PICTURE), "nothing is given up, so that others have to");
        }
        assertEquals(STEPS - 1, control.next(20 * PICTURE, STEPS, false, 0));
        control.judge(-LATE, 20 * PICTURE);
        assertEquals(1, control.next(21 * PICTURE, STEPS, false, 0));
    }

    /** Plays two pictures of a sink that keeps time; the second would come after the first took 10 ms too long. */
    private int coldSecondPicture(int steps) {
        control.setKeepsTime(true);
        control.next(0, steps, true, 0);
        return control.next(PICTURE, steps, true, PICTURE + LATE);
    }

    @Test
    void whereCompilingWouldMakePicturesLateTheyPassUntilItIsDone() {
        assertEquals(STEPS - 1, coldSecondPicture(STEPS));
        assertTrue(control.isAwaitingKernels());
        for (int i = 2; i < 100; i++) {
            control.judge(i < 50 ? LATE : -LATE, (i - 1) * PICTURE);
            assertEquals(STEPS - 1, control.next(i * PICTURE, STEPS, true, 1));
        }
        assertEquals(0, control.next(100 * PICTURE, STEPS, false, 1));
        assertFalse(control.isAwaitingKernels());
        control.judge(LATE, 100 * PICTURE);
        control.next(101 * PICTURE, STEPS, false, 1);
        control.judge(-LATE, 101 * PICTURE);
        assertEquals(1, control.next(102 * PICTURE, STEPS, false, 1), "a late picture is a step again");
    }

    @Test
    void whenTheKernelsAreCompiledTheStepIsAsBefore() {
        control.setKeepsTime(true);
        pass(2);
        play(1, step -> true);
        pass(1);
        assertEquals(STEPS - 1, control.next(picture * PICTURE, STEPS, true, 10 * PICTURE));
        assertEquals(1, control.next((picture + 1) * PICTURE, STEPS, false, 1));
    }

    @Test
    void whileTheKernelsAreCompiledPicturesInTimeAreFiltered() {
        control.setKeepsTime(true);
        control.next(0, STEPS, true, 0);
        assertEquals(0, control.next(PICTURE, STEPS, true, PICTURE - LATE));
    }

    @Test
    void whereDownstreamTakesItsTimeNothingIsGivenUpForTheCompiler() {
        control.next(0, STEPS, true, 0);
        assertEquals(0, control.next(PICTURE, STEPS, true, 10 * PICTURE));
    }

    @Test
    void whatWasSetExactlyIsFilteredWhileTheKernelsAreCompiled() {
        assertEquals(0, coldSecondPicture(1));
        assertFalse(control.isAwaitingKernels());
    }

    @Test
    void theFirstPictureAfterAFlushIsFilteredWhateverTheLastTook() {
        coldSecondPicture(STEPS);
        control.restart();
        assertEquals(0, control.next(2 * PICTURE, STEPS, true, 10 * PICTURE));
    }
}
